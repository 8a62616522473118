// SPDX-License-Identifier: GPL-3.0-or-later
// What several commands say of a dataset's report.
#pragma once

#include "data/options.h"
#include "session/workbench.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::cli {

// "line 7", with its file where there are several.
std::string nameOf(session::RowPlace place, const session::DatasetReport& report);

// So many rows that deserve a look, what of them, and one for example.
struct RowFinding {
    int64_t numRows = 0;
    std::string what; // "repeat an earlier one"
    std::string example;
};

// Rows that stand in the data more than once, within a dataset and across them.
std::vector<RowFinding> repeatsIn(const session::DatasetReport& report);

// What training does not use: columns, what a chat template leaves out of rows, files of folders. Empty: it uses all.
std::vector<std::string> notUsedLines(const session::DatasetReport& report);

// ", of validation.jsonl": the files that are validated on; empty where rows are split off.
std::string ofValidationFiles(std::span<const data::DataOptions> datasets);

// The limits on lengths that are worth showing: powers of two from 128 on, and the run's own.
std::vector<session::LengthChoice> shownLengths(const session::DatasetReport& report);

} // namespace roundpipe::cli
