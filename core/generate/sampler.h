// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the next token from logits.
#pragma once

#include <cstdint>
#include <span>

namespace roundpipe::generate {

struct SamplingOptions {
    int64_t maxNewTokens = 256;
    double temperature = 0; // 0: greedy
    int64_t topK = 0;       // only the k likeliest; 0: all
    double topP = 1;        // only the likeliest that together reach this probability
    uint64_t seed = 0;
};

// The token at position `index` of the sequence: a function of logits, options and index, never of call order.
int32_t pickToken(std::span<const float> logits, const SamplingOptions& options, int64_t index);

} // namespace roundpipe::generate
