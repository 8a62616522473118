// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> runsScenes();

} // namespace roundpipe::testing
