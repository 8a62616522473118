// The Runs page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> runsScenes();

} // namespace roundpipe::testing
