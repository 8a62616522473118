// SPDX-License-Identifier: GPL-3.0-or-later
// The Run page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> runScenes();

} // namespace roundpipe::testing
