// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/answering.h"

#include "base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace roundpipe::session {
namespace {

constexpr double kMostTokens = 1 << 24;
constexpr double kLargestSeed = 9007199254740992; // 2^53: every whole number up to it is a double

constexpr SamplingField kFields[] = {
    {"repetition_penalty", "--repetition-penalty", "Repetition penalty",
     "Above 1: tokens that the text has already become less likely.", 0.01, 100, &SamplingOptions::repetitionPenalty},
    {"temperature", "--temperature", "Temperature",
     "0: always the likeliest token; above: draws, the higher the wilder.", 0, 100, &SamplingOptions::temperature},
    {"top_k", "--top-k", "Top-k", "Draws only from the k likeliest tokens; 0: all.", 0, kMostTokens,
     &SamplingOptions::topK},
    {"top_p", "--top-p", "Top-p", "Draws only from the likeliest tokens that together reach this probability.", 0, 1,
     &SamplingOptions::topP},
    {"min_p", "--min-p", "Min-p", "Draws only from tokens with this part of the likeliest one's probability.", 0, 1,
     &SamplingOptions::minP},
    {"seed", "--seed", "Seed", "Of the draws: the same draws the same.", 0, kLargestSeed, &SamplingOptions::seed},
    {"max_new_tokens", "--max-new-tokens", "Tokens at most", "Tokens of an answer at most.", 1, kMostTokens,
     &SamplingOptions::maxNewTokens},
};

} // namespace

std::span<const SamplingField> samplingFields() {
    return kFields;
}

void setSampling(SamplingOptions& options, const SamplingField& field, double value, const std::string& called) {
    const bool inLimits = value >= field.minimum && value <= field.maximum; // false for a NaN
    if (!inLimits || (field.isWhole() && value != std::floor(value)))
        throw invalidInput(fmt::format("'{}' is {}.", called, value),
                           fmt::format("It is a {} from {} to {}.", field.isWhole() ? "whole number" : "number",
                                       field.minimum, field.maximum));
    std::visit(
        [&](auto member) {
            auto& number = options.*member;
            number = static_cast<std::remove_reference_t<decltype(number)>>(value);
        },
        field.member);
}

double samplingValue(const SamplingOptions& options, const SamplingField& field) {
    return std::visit([&](auto member) { return static_cast<double>(options.*member); }, field.member);
}

void checkStops(const std::vector<std::string>& stops) {
    if (stops.size() > kMaxStops)
        throw invalidInput(fmt::format("There are {} stop texts.", stops.size()),
                           fmt::format("Give {} at most.", kMaxStops));
    for (const std::string& stop : stops)
        if (stop.empty() || stop.size() > kMaxStopBytes)
            throw invalidInput(stop.empty() ? "A stop text is empty."
                                            : fmt::format("A stop text has {} bytes.", stop.size()),
                               fmt::format("Give one of 1 to {} bytes.", kMaxStopBytes));
}

} // namespace roundpipe::session
