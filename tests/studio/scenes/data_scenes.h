// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> dataScenes();

} // namespace roundpipe::testing
