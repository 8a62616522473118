// SPDX-License-Identifier: GPL-3.0-or-later
// exports.jsonl: what was made of a run for other programs, and whether it answers as the run's own result does.
#pragma once

#include "base/export_choices.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

// How an export answers, read back, beside what it was made from.
struct ExportProof {
    int64_t prompts = 0;
    int64_t tokens = 0;       // compared
    int64_t agreeing = 0;     // of them: the likeliest is the same
    int64_t contradicted = 0; // of the others: those in which the two were not near a tie
    double largestGap = 0;    // of two logits of the same token
    double meanGap = 0;       // of all logits, as a share of how far a position's logits spread (standard deviation)
    double allowedGap = 0;    // what meanGap may be for this type
    bool passed = false;
};

struct ExportRecord {
    int64_t when = 0;       // seconds since 1970
    std::string kind;       // "gguf"
    std::string type;       // "q4_k_m"; empty: the model's own
    std::string checkpoint; // of the run that it was made of; empty: its result
    std::string folder;
    int64_t bytes = 0;
    std::string weightsFile; // whose SHA-256 follows
    std::string sha256;
    std::optional<ExportProof> proof; // nothing: it was not asked for
};

// Where an export of a run lies unless another place is said: "exports/gguf-q8_0" in the run's folder, of a checkpoint
// "exports/gguf-q8_0-best".
std::filesystem::path exportFolderOf(const std::filesystem::path& run, ExportKind kind, GgufType type,
                                     const std::string& checkpoint);

std::string toJsonLine(const ExportRecord& record); // stable keys
// `file` lies in the run's folder. A folder below that is written relative to it, so that the run can be moved. Throws
// kIo, kNoSpace.
void appendExport(ExportRecord record, const std::filesystem::path& file);
// In the order in which they were made, with folders as they lie now; empty where there is no file. Throws as
// forEachLine().
std::vector<ExportRecord> readExports(const std::filesystem::path& file);

} // namespace roundpipe::runs
