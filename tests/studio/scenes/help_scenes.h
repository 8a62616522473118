// The manual.
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

std::vector<Scene> helpScenes();

} // namespace roundpipe::testing
