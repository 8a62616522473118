// SPDX-License-Identifier: GPL-3.0-or-later
// The Plan page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> planScenes();

} // namespace roundpipe::testing
