// SPDX-License-Identifier: GPL-3.0-or-later
// The Settings page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> settingsScenes();

} // namespace roundpipe::testing
