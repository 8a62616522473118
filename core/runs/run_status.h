// SPDX-License-Identifier: GPL-3.0-or-later
// status.json: how a run stands, or how it ended, and what it ran on.
#pragma once

#include "session/engine.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::runs {

struct RunStatus {
    session::RunState state = session::RunState::kPreparing; // while it runs: kPreparing or kTraining
    int64_t startedAt = 0;                                   // seconds since 1970; of a resumed run, the first time
    int64_t endedAt = 0;                                     // 0: not yet
    std::string model;                                       // in a line; empty until it is planned
    std::vector<std::string> devices;                        // "
    int64_t totalSteps = 0;                                  // "
    int64_t numExamples = 0;                                 // "
    int64_t numTrainableParameters = 0;                      // "
    std::string problem, advice;                             // where it failed
    std::string settings = {};       // hash (base/content_hash.h) of run.json as the run wrote it; empty: not known
    std::string settingsToCome = {}; // hashOfSettings() that it is about to write there, in place of that; empty: none
    std::string run = {};            // TrainingState::run of what it saves; empty: of an older version
};

void writeStatus(const RunStatus& status, const std::filesystem::path& runFolder); // throws kIo, kNoSpace
// Throws kIo, kInvalidInput naming the file.
RunStatus readStatus(const std::filesystem::path& runFolder);

// Of what a run.json says, whatever folder it stands in and however it is spelled.
std::string hashOfSettings(session::RunSpec spec);

// run.json of a run that has ended, by the program: the run knows it for its own where it has known it so far.
void rewriteSettings(const session::RunSpec& spec, const std::filesystem::path& runFolder);

} // namespace roundpipe::runs
