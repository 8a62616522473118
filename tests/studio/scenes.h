// Every page in every state that it has, by name: "plan-does-not-fit".
#pragma once

#include "studio.h"

#include <string>
#include <vector>

namespace roundpipe::testing {

struct Scene {
    std::string name; // the page's id first
    double speed;     // of the simulated engine
    void (*play)(Studio& studio);
};

const std::vector<Scene>& scenes();

} // namespace roundpipe::testing
