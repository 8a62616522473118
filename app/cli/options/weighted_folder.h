// SPDX-License-Identifier: GPL-3.0-or-later
// An adapter's folder with how much of it counts: "DIR", or "DIR,weight=0.5".
#pragma once

#include <string>

namespace roundpipe::cli {

struct WeightedFolder {
    std::string folder;
    double weight = 1;
};

// Throws kInvalidInput where what stands for the weight is no number that fp32 holds well.
WeightedFolder weightedFolderOf(const std::string& word);

} // namespace roundpipe::cli
