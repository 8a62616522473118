// SPDX-License-Identifier: GPL-3.0-or-later
// The Results page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> resultsScenes();

} // namespace roundpipe::testing
