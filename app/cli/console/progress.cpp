// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/progress.h"

#include "base/counted.h"
#include "base/secrets.h"
#include "base/units.h"
#include "console/table.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace roundpipe::cli {

Progress::~Progress() {
    clear();
}

Progress::Style Progress::styleOfStandardOutput() {
    return ::isatty(STDOUT_FILENO) != 0 ? Style::kTerminal : Style::kLines;
}

void Progress::clear() {
    if (m_lineOpen) std::fputs("\r\033[K", stdout);
    m_lineOpen = false;
    std::fflush(stdout);
}

void Progress::plan(const session::RunPlan& plan) {
    if (m_style == Style::kQuiet) return;
    message(plan.modelText());
    message(fmt::format("{} trainable parameters, {} ({} validated on, {} dropped), {}",
                        formatCount(static_cast<double>(plan.numTrainableParameters)),
                        counted(plan.numExamples, "example"), plan.numValidationExamples,
                        counted(plan.numDroppedRows, "row"), counted(plan.totalSteps, "step")));
    message(plan.plan.describe());
}

void Progress::step(const session::StepMetrics& metrics, const session::Snapshot& snapshot) {
    if (m_style == Style::kQuiet) return;
    std::string line = fmt::format("step {}/{}  loss {:.4f}", metrics.step, snapshot.totalSteps, metrics.loss);
    if (metrics.validationLoss) line += fmt::format("  validation {:.4f}", *metrics.validationLoss);
    line += !metrics.skipped ? fmt::format("  lr {:.3g}  norm {:.3g}", metrics.learningRate, metrics.gradNorm)
            : std::isinf(metrics.gradNorm)
                ? fmt::format("  skipped, as a loss scale of {} is too large", metrics.lossScale)
                : "  skipped, as it is not finite";
    line += fmt::format("  {} tokens/s", formatCount(snapshot.tokensPerSecond));
    if (snapshot.remainingSeconds) line += "  " + formatDuration(*snapshot.remainingSeconds) + " left";
    if (m_style == Style::kTerminal && !metrics.validationLoss && !metrics.skipped)
        activity(line);
    else
        message(line);
}

void Progress::activity(const std::string& text) {
    if (m_style != Style::kTerminal) return;
    std::printf("\r\033[K%s", text.c_str());
    std::fflush(stdout);
    m_lineOpen = true;
}

void Progress::warning(const std::string& text) {
    if (m_style != Style::kQuiet) standstill(text);
}

void Progress::standstill(const std::string& text) {
    clear();
    std::fprintf(stderr, "warning: %s\n", withoutSecrets(text).c_str());
}

void Progress::message(const std::string& text) {
    if (m_style == Style::kQuiet) return;
    clear();
    std::printf("%s\n", withoutSecrets(text).c_str());
    std::fflush(stdout);
}

} // namespace roundpipe::cli
