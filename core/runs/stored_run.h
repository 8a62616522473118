// SPDX-License-Identifier: GPL-3.0-or-later
// A run as its folder tells of it.
#pragma once

#include "base/spelling.h"
#include "session/spec/run_spec.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

enum class RunOutcome {
    kRunning,
    kFinished,
    kStopped,
    kFailed,
    kInterrupted, // nobody holds its lock, and nothing says how it ended: the process ended without a word
    kUnknown      // of a version that did not write it down, or not a run that can be read
};
constexpr std::array<const char*, 6> spellings(RunOutcome) {
    return {"running", "finished", "stopped", "failed", "interrupted", "unknown"};
}

struct StoredCheckpoint {
    std::string name; // "last", "best", "step-200": below checkpoints/
    int64_t step = 0;
    std::optional<double> validationLoss; // the last one that was taken until this step
    int64_t bytes = 0;
};

struct StoredRun {
    std::filesystem::path folder;
    std::string id; // stays as it is wherever the folder is moved, a copy's too; empty: of before there was a journal
    std::string name;
    RunOutcome outcome = RunOutcome::kUnknown;
    std::string problem, advice; // why it failed, or why parts of it could not be read
    int64_t startedAt = 0;       // seconds since 1970
    int64_t endedAt = 0;         // 0: not known; of one that was interrupted, when it was last heard of
    int64_t lastBeat = 0;        // when it last advanced; 0: not known
    std::string model;           // in a line; of older runs the model's path
    std::vector<std::string> devices;
    int64_t steps = 0; // done
    int64_t totalSteps = 0;
    double seconds = 0; // of all steps
    int64_t tokens = 0; // "
    double lastLoss = 0;
    std::optional<double> firstValidation, lastValidation, bestValidation;
    int64_t bytes = 0;                         // of all files in the folder
    int64_t adapterBytes = 0;                  // 0: there is no adapter
    int64_t modelBytes = 0;                    // of a model whose weights were trained; 0: there is none
    std::vector<StoredCheckpoint> checkpoints; // whole ones, as far as their sizes tell; the most steps first
    std::string note;                          // of a person

    // What `--resume` goes on from: the one of the most steps, of equal ones the last.
    bool isToResumeFrom(const StoredCheckpoint& checkpoint) const;
    int64_t resultBytes() const { return adapterBytes + modelBytes; } // a run makes one of them
    double tokensPerSecond() const { return seconds > 0 ? static_cast<double>(tokens) / seconds : 0; }
};

// The devices that its settings name; none, as all of them, where these can't be read.
std::vector<std::string> devicesAskedBy(const std::filesystem::path& folder);

// For how many seconds a run that is under way has not advanced; 0: for no time that is worth a word, as validations
// and answers between steps take a while, too. `now`: seconds since 1970.
int64_t silentSeconds(const StoredRun& run, int64_t now);

// Whether a folder has anything that a run leaves.
bool isRunFolder(const std::filesystem::path& folder);

// A run's id, from its journal's first line; empty where there is none.
std::string idOf(const std::filesystem::path& folder);

// Reads all of it; what can't be read becomes the run's problem, so that a broken folder can still be listed. Its texts
// are without secrets, which older versions took. Throws kIo where there is no folder.
StoredRun readRun(const std::filesystem::path& folder);

// Changes whenever readRun() would say something else; costs a few looks at the file system.
std::string fingerprintOf(const std::filesystem::path& folder);

// The run's spec, with this folder as its own, wherever it was moved or copied, and its name without secrets. Throws as
// readRunSpec.
session::RunSpec specOf(const std::filesystem::path& folder);

} // namespace roundpipe::runs
