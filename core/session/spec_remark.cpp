// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec_remark.h"

#include <fmt/format.h>

#include <algorithm>

namespace roundpipe::session {
namespace {

constexpr double kMostForWeights = 5e-5; // 1e-5 to 2e-5 are usual
constexpr double kForWeights = 2e-5;
constexpr double kLeastForAdapters = 2e-5; // 1e-4 to 5e-4 are usual
constexpr double kForAdapters = 2e-4;
constexpr double kMostForTables = 1e-4; // that are trained whole beside adapters
constexpr double kForTables = 5e-5;

// "0.00002", as people write rates.
std::string rateText(double rate) {
    std::string text = fmt::format("{:.8f}", rate);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

bool trainsTables(const RunSpec& spec) {
    return std::ranges::any_of(spec.lora.modulesToSave,
                               [](const std::string& name) { return !name.ends_with("norm"); });
}

} // namespace

std::optional<SpecRemark> remarkOnLearningRate(const RunSpec& spec) {
    const double rate = spec.optimizer.learningRate;
    const auto say = [&](RunTextCode code, double better) {
        return SpecRemark{RunText(code, rateText(rate), rateText(better)), "optimizer.learning_rate", better};
    };
    if (spec.method == Method::kFull && rate > kMostForWeights) return say(RunTextCode::kRateOfAdapters, kForWeights);
    if (spec.method == Method::kLora && rate > 0 && rate <= kLeastForAdapters)
        return say(RunTextCode::kRateOfWeights, kForAdapters);
    if (spec.method == Method::kLora && rate > kMostForTables && trainsTables(spec))
        return say(RunTextCode::kRateOfAdaptersForTables, kForTables);
    return std::nullopt;
}

std::optional<SpecRemark> remarkOnPositions(int64_t maxPositions, int64_t longestExample) {
    if (maxPositions <= 0 || longestExample <= maxPositions) return std::nullopt;
    return SpecRemark{RunText(RunTextCode::kBeyondPositions, longestExample, maxPositions), "data.max_length",
                      maxPositions};
}

std::vector<SpecRemark> remarksOn(const RunSpec& spec, int64_t maxPositions, int64_t longestExample) {
    std::vector<SpecRemark> all;
    for (auto& remark : {remarkOnPositions(maxPositions, longestExample), remarkOnLearningRate(spec)})
        if (remark) all.push_back(*remark);
    return all;
}

} // namespace roundpipe::session
