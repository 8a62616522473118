// SPDX-License-Identifier: GPL-3.0-or-later
// A page in one of its states.
#pragma once

#include "studio/studio.h"

#include <string>
#include <vector>

namespace roundpipe::testing {

struct Scene {
    std::string name; // "plan-does-not-fit": the page's id first
    double speed;     // of the simulated engine
    void (*play)(Studio& studio);
};

} // namespace roundpipe::testing
