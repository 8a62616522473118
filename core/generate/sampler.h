// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the next token from logits.
#pragma once

#include "session/answering.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::generate {

// The token at position `index` of the sequence: a function of logits, options, index and, where repetition is
// penalised, of the tokens before it, `seen`; never of call order. Throws kUnsupported where a logit is NaN or none is
// finite.
int32_t pickToken(std::span<const float> logits, const session::SamplingOptions& options, int64_t index,
                  std::span<const int32_t> seen = {});

// Of a token by the softmax of logits, as they come from the model. Natural logarithm.
double logProbabilityOf(std::span<const float> logits, int32_t token);
// The tokens with the largest logits in falling order, equal ones by their number; `count`, or all there are.
std::vector<int32_t> likeliestTokens(std::span<const float> logits, int64_t count);

} // namespace roundpipe::generate
