// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/batches/step_room.h"

#include "base/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

void checkLongest(const Dataset& dataset, const ExampleSet& examples, const char* field, int64_t limit) {
    const batch::ExampleLengths& lengths = examples.lengths();
    if (limit == 0 || lengths.longest() <= limit) return;
    const auto longest = std::ranges::max_element(lengths.tokens()) - lengths.tokens().begin();
    throw invalidInput(fmt::format("{}: the example has {} tokens, but batch.{} is {}.",
                                   dataset.where(examples[longest].place), lengths.longest(), field, limit),
                       "Raise it, or lower data.max_length, which cuts longer examples off.");
}

} // namespace

void requireRoom(const Dataset& dataset, const batch::StepRules& rules) {
    checkLongest(dataset, dataset.training(), "microbatch_tokens", rules.microbatchTokens);
    checkLongest(dataset, dataset.validation(), "microbatch_tokens", rules.microbatchTokens);
    checkLongest(dataset, dataset.training(), "tokens_per_step", rules.tokensPerStep);
}

} // namespace roundpipe::data
