// SPDX-License-Identifier: GPL-3.0-or-later
// The Queue page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> queueScenes();

} // namespace roundpipe::testing
