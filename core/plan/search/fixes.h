// What would help where a model does not fit a rig.
#pragma once

#include "plan/search/model_choice.h"

#include <string>
#include <vector>

namespace roundpipe::plan {

// A change of the request that makes it fit, and what it costs.
struct Fix {
    std::string change; // "sequences of 1024 tokens instead of 2048"
    std::string cost;   // "4,100 tokens/s; longer examples are cut off"
};
// The smallest change of each kind that makes a request fit that does not, gentlest kinds first; empty if none of them
// alone is enough.
std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options = {});

} // namespace roundpipe::plan
