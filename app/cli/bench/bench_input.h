// SPDX-License-Identifier: GPL-3.0-or-later
// What a benchmark trains: made-up rows, as long as may be, and a tokenizer where the model brings none. All of it lies
// in a folder for a while, so that reading, tokenising and dealing rows are what they are in any run.
#pragma once

#include "session/spec/run_spec.h"

#include <cstdint>
#include <filesystem>

namespace roundpipe::cli {

class BenchInput {
public:
    // Rows for so many steps of `spec`, which from here on trains on them and writes its results beside them. A
    // model.path that is a config.json alone gets random weights. Throws kInvalidInput, kIo, kNoSpace.
    BenchInput(session::RunSpec& spec, int64_t numSteps);
    ~BenchInput(); // removes them, and the results
    BenchInput(const BenchInput&) = delete;
    BenchInput& operator=(const BenchInput&) = delete;

private:
    void makeModel(session::RunSpec& spec) const;
    void makeRows(session::RunSpec& spec, int64_t numSteps) const;

    std::filesystem::path m_folder;
};

} // namespace roundpipe::cli
