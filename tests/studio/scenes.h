// SPDX-License-Identifier: GPL-3.0-or-later
// Every page in every state that it has, by name: "plan-does-not-fit".
#pragma once

#include "studio/scenes/scene.h"

namespace roundpipe::testing {

const std::vector<Scene>& scenes();

} // namespace roundpipe::testing
