// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder block on a GPU, whose products and attention are libraries', beside the same block on a CPU worker, whose
// attention is the twin of our kernels: what the self-test of single kernels does not reach.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace roundpipe::engine {

struct BlockComparison {
    std::string name;        // "block, 8/2 heads of 128, 4 sequences up to 513, strict"
    double largestError = 0; // of output, input's and adapters' gradient: ‖gpu − cpu‖ / ‖cpu‖
    double tolerance = 0;
    bool isSame = true; // a second call gave the same bits; only asked of strict ones
    bool passed() const { return isSame && largestError <= tolerance; }
};

// On GPU `name` ("cuda:0"), in bf16 and fp16. `done` is called after each. Throws where the device can't be opened or
// fails.
std::vector<BlockComparison> compareBlocks(const std::string& name,
                                           const std::function<void(const BlockComparison&)>& done);

} // namespace roundpipe::engine
