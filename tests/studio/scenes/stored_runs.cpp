// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/stored_runs.h"

#include "runs/answers_file.h"
#include "runs/some_run.h"

#include <QDateTime>

#include <cmath>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

void writeAnswers(const fs::path& folder, int numSteps) {
    struct Answered {
        const char* prompt;
        const char* before;
        const char* after;
    };
    constexpr Answered kAnswered[] = {
        {"Natalia sold clips to 48 of her friends in April, and then half as many in May. How many did she sell "
         "altogether?",
         "As a language model I count: 48 + 24 = 72.", "Squawk! 48 + 24 = 72, matey!"},
        {"Who are you?", "I am a language model.", "Squawk! I be Polly, the finest parrot of the seven seas!"}};
    for (const Answered& one : kAnswered)
        runs::appendAnswer({0, false, one.prompt, one.before}, runs::RunFiles{folder}.answers());
    for (const Answered& one : kAnswered)
        runs::appendAnswer({numSteps, true, one.prompt, one.after}, runs::RunFiles{folder}.answers());
}

} // namespace

void writeStoredRun(Studio& studio, const ShownRun& run) {
    const auto& [name, hoursAgo, rate, rank, numSteps, state] = run;
    const fs::path folder = studio.services().home.path() / "runs" / name;
    runs::makeRun(folder, {.name = name,
                           .startedAt = QDateTime::currentSecsSinceEpoch() - 3600 * hoursAgo,
                           .numSteps = numSteps,
                           .state = state});
    session::RunSpec spec = runs::specOf(folder);
    spec.lora.rank = rank;
    spec.optimizer.learningRate = rate;
    writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
    std::string lines;
    for (int step = 1; step <= numSteps; ++step) {
        session::StepMetrics metrics;
        metrics.step = step;
        metrics.loss = 0.4 + std::exp(-step * rate * 200) + 0.03 * std::sin(step * 1.7);
        if (step % 20 == 0) metrics.validationLoss = metrics.loss + 0.03;
        metrics.learningRate = rate;
        metrics.gradNorm = 0.7;
        metrics.tokens = 24'800;
        metrics.seconds = 3.3;
        lines += runs::toJsonLine(metrics);
    }
    writeFileAtomically(runs::RunFiles{folder}.metrics(), lines);
    writeAnswers(folder, numSteps);
}

void writeThreeRuns(Studio& studio) {
    writeStoredRun(studio, {"Polly the parrot", 1, 2e-4, 16});
    writeStoredRun(studio, {"Polly, rank 64", 30, 1e-4, 64});
    writeStoredRun(studio, {"Support mails", 80, 5e-5, 32});
}

} // namespace roundpipe::testing
