// The Results page.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> resultsScenes();

} // namespace roundpipe::testing
