// SPDX-License-Identifier: GPL-3.0-or-later
// The playground, from what can be loaded to long conversations.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> playgroundScenes();

} // namespace roundpipe::testing
