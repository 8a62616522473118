// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/compare.h"

#include "session/spec/no_secret.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace roundpipe::runs {
namespace {

std::optional<double> valueAt(const session::StepMetrics& step, CurveValue value) {
    switch (value) {
    case CurveValue::kLoss:
        return step.loss;
    case CurveValue::kValidationLoss:
        return step.validationLoss;
    case CurveValue::kLearningRate:
        return step.learningRate;
    case CurveValue::kGradNorm:
        return step.gradNorm;
    case CurveValue::kTokensPerSecond:
        return static_cast<double>(step.tokens) / step.seconds;
    }
    return std::nullopt;
}

bool isSetting(const session::Field& field) {
    return field.key != "version" && field.key != "name" && field.key != "output.folder";
}

} // namespace

Curve curveOf(std::span<const session::StepMetrics> steps, CurveValue value, CurveAxis axis) {
    Curve curve;
    double tokens = 0, seconds = 0;
    for (const session::StepMetrics& step : steps) {
        tokens += static_cast<double>(step.tokens);
        seconds += step.seconds;
        const std::optional<double> y = valueAt(step, value);
        if (!y || !std::isfinite(*y)) continue;
        curve.x.push_back(axis == CurveAxis::kStep     ? static_cast<double>(step.step)
                          : axis == CurveAxis::kTokens ? tokens
                                                       : seconds);
        curve.y.push_back(*y);
    }
    return curve;
}

std::vector<double> smoothed(std::span<const double> values, double keep) {
    std::vector<double> result;
    double sum = 0, weight = 0;
    for (const double value : values) {
        sum = keep * sum + value;
        weight = keep * weight + 1;
        result.push_back(sum / weight);
    }
    return result;
}

std::vector<Difference> differencesOf(std::span<const session::RunSpec> specs) {
    std::vector<Difference> all;
    for (const session::Field& field : session::runSpecFields()) {
        if (!isSetting(field)) continue;
        Difference difference{&field, {}};
        for (const session::RunSpec& spec : specs)
            difference.values.push_back(field.get(spec));
        if (std::ranges::adjacent_find(difference.values, std::not_equal_to{}) == difference.values.end()) continue;
        std::ranges::transform(difference.values, difference.values.begin(),
                               [](const auto& value) { return session::withoutSecretsIn(value); });
        all.push_back(std::move(difference));
    }
    return all;
}

int64_t numCompared() {
    return std::ranges::count_if(session::runSpecFields(), isSetting);
}

std::string textOf(const session::FieldValue& value) {
    struct Visitor {
        std::string operator()(bool flag) const { return flag ? "on" : "off"; }
        std::string operator()(int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return fmt::format("{}", number); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const std::vector<std::string>& texts) const {
            return fmt::format("{}", fmt::join(texts, ", "));
        }
        std::string operator()(const std::vector<int64_t>& numbers) const {
            return fmt::format("{}", fmt::join(numbers, ", "));
        }
    };
    const std::string text = std::visit(Visitor{}, value);
    return text.empty() ? "–" : text;
}

} // namespace roundpipe::runs
