// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the tiny model, to stand in a queue.
#pragma once

#include "base/file.h"
#include "queue/run_queue.h"
#include "testing/tiny_model.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::queue {

inline void makeTinyModel(const std::filesystem::path& folder) {
    writeFileAtomically(folder / "config.json", testing::kTinyModel);
}

// Of the model in `folder`; its results go into a folder of the run's name in there.
inline QueuedRun waitingRun(const std::filesystem::path& folder, const std::string& name,
                            const std::vector<std::string>& devices, int64_t steps) {
    QueuedRun run;
    run.spec.name = name;
    run.spec.model.path = folder;
    run.spec.data.datasets.front().files = {"rows.jsonl"};
    run.spec.output.folder = folder / name;
    run.spec.engine.devices = devices;
    run.spec.batch.microbatches = 4;
    run.spec.duration.maxSteps = steps;
    return run;
}

} // namespace roundpipe::queue
