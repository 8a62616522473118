// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/step_rules.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::batch {
namespace {

constexpr int64_t kMaxSize = 1 << 20; // keeps the product of three within 64 bits

void checkSize(const char* field, int64_t value) {
    if (value < 1 || value > kMaxSize)
        throw invalidInput(fmt::format("batch.{} must be from 1 to {}, but is {}.", field, kMaxSize, value));
}

void checkTokens(const char* field, int64_t value, int64_t longest) {
    if (value != 0 && value < longest)
        throw invalidInput(fmt::format("batch.{} is {}, but an example has {} tokens.", field, value, longest),
                           "Raise it, or lower data.max_length.");
}

} // namespace

void validate(const StepRules& rules, int64_t longestToTrainOn, int64_t longestToValidateOn) {
    checkSize("microbatch_size", rules.microbatchSize);
    checkSize("microbatches", rules.microbatches);
    checkSize("rounds", rules.rounds);
    if (longestToTrainOn == 0) throw invalidInput("There is no example to train on.");
    checkTokens("microbatch_tokens", rules.microbatchTokens, std::max(longestToTrainOn, longestToValidateOn));
    checkTokens("tokens_per_step", rules.tokensPerStep, longestToTrainOn);
}

} // namespace roundpipe::batch
