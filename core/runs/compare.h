// SPDX-License-Identifier: GPL-3.0-or-later
// Runs beside each other: their curves, and the settings in which they differ.
#pragma once

#include "session/engine.h"
#include "session/spec/run_spec_fields.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::runs {

enum class CurveValue { kLoss, kValidationLoss, kLearningRate, kGradNorm, kTokensPerSecond };
constexpr std::array<const char*, 5> spellings(CurveValue) {
    return {"loss", "validation", "learning-rate", "gradient-norm", "tokens-per-second"};
}
enum class CurveAxis { kStep, kTokens, kSeconds };
constexpr std::array<const char*, 3> spellings(CurveAxis) {
    return {"step", "tokens", "time"};
}

// Points in the order of the steps; steps without the value, or where it is no number, are left out. Tokens and seconds
// are summed over all steps up to the point's.
struct Curve {
    std::vector<double> x, y;
};
Curve curveOf(std::span<const session::StepMetrics> steps, CurveValue value, CurveAxis axis);

// The mean of the points until then, each weighing `keep` times what the next one does; 0 <= keep < 1, 0 changes
// nothing. The first points are not drawn towards zero.
inline constexpr double kUsualSmoothing = 0.75; // of charts and reports
std::vector<double> smoothed(std::span<const double> values, double keep = kUsualSmoothing);

// A setting that is not the same in all runs.
struct Difference {
    const session::Field* field;             // of runSpecFields()
    std::vector<session::FieldValue> values; // [run]
};
// In the order of runSpecFields(). Name and output folder are no settings: they differ by themselves. Values are
// without secrets.
std::vector<Difference> differencesOf(std::span<const session::RunSpec> specs);
int64_t numCompared(); // settings that differencesOf() looks at

// A value as tables show it: "on", "0.0002", "q_proj, v_proj", "–" for nothing.
std::string textOf(const session::FieldValue& value);

} // namespace roundpipe::runs
