// SPDX-License-Identifier: GPL-3.0-or-later
// The manual.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> helpScenes();

} // namespace roundpipe::testing
