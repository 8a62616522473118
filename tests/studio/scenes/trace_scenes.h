// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of saved traces.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> traceScenes();

} // namespace roundpipe::testing
