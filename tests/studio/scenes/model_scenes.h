// SPDX-License-Identifier: GPL-3.0-or-later
// The Model page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> modelScenes();

} // namespace roundpipe::testing
