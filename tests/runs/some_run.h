// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders for tests.
#pragma once

#include "base/file.h"
#include "runs/metrics_file.h"
#include "runs/run_files.h"
#include "runs/run_status.h"
#include "runs/training_state.h"
#include "session/spec/run_spec.h"

#include <filesystem>
#include <string>

namespace roundpipe::runs {

struct SomeRun {
    std::string name = {};
    int64_t startedAt = 1'000'000;
    int numSteps = 4;
    session::RunState state = session::RunState::kFinished;
};

// A folder as a run leaves it: step n has loss 5 - n and took n seconds over 100 n tokens; every second one was
// validated, with loss 6 - n.
inline std::filesystem::path makeRun(const std::filesystem::path& folder, const SomeRun& some = {}) {
    const RunFiles files{folder};
    std::filesystem::create_directories(files.lastCheckpoint());
    session::RunSpec spec;
    spec.name = some.name;
    spec.model.path = "/models/a";
    writeFileAtomically(files.spec(), session::toJson(spec));
    RunStatus status;
    status.state = some.state;
    status.startedAt = some.startedAt;
    status.model = "Qwen3, 4 blocks";
    status.devices = {"GPU \"0\"", "GPU 1"};
    status.totalSteps = some.numSteps;
    if (some.state == session::RunState::kFailed) status.problem = "The disk is full.";
    writeStatus(status, folder);
    std::string lines;
    for (int step = 1; step <= some.numSteps; ++step) {
        session::StepMetrics metrics;
        metrics.step = step;
        metrics.loss = 5.0 - step;
        if (step % 2 == 0) metrics.validationLoss = 6.0 - step;
        metrics.tokens = 100 * step;
        metrics.seconds = step;
        lines += toJsonLine(metrics);
    }
    writeFileAtomically(files.metrics(), lines);
    writeTrainingState({some.numSteps - 1, 42, 4.0}, files.lastCheckpoint());
    std::filesystem::create_directories(files.adapter());
    writeFileAtomically(files.adapter() / "adapter_model.safetensors", std::string(1000, 'x'));
    return folder;
}

} // namespace roundpipe::runs
