// SPDX-License-Identifier: GPL-3.0-or-later
// The first screen.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> startScenes();

} // namespace roundpipe::testing
