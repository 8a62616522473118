// SPDX-License-Identifier: GPL-3.0-or-later
// What `roundpipe export` is asked for, and what follows from it.
#pragma once

#include "artifact/export/export_job.h"
#include "base/choices.h"
#include "base/export_choices.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::cli {

struct ExportRequest {
    std::string run;        // empty: model and adapters
    std::string checkpoint; // of the run; empty: its result
    std::string model;
    std::vector<std::string> adapters; // "DIR" or "DIR,weight=0.5"
    ExportKind kind = ExportKind::kMerged;
    GgufType type = GgufType::kQ8;
    CLI::Option *kindOption = nullptr, *typeOption = nullptr;
    std::string out, name;
    bool adapterApart = false;
    int64_t contextTokens = 0;
    bool check = false;
    bool noProof = false;
    std::vector<std::string> prompts; // of the proof
    int64_t proofTokens = 32;
    std::string device = "auto";
    Precision precision = Precision::kAuto;
    bool json = false;
};

void addExportOptions(CLI::App& app, ExportRequest& options);

// Throws kInvalidInput for what does not go together, and where there is nothing to export.
artifact::ExportJob jobOf(const ExportRequest& options);
// What the proof asks: as it was given, else what the run was asked, else the usual.
std::vector<std::string> proofPromptsOf(const ExportRequest& options, const artifact::ExportJob& job);

// "DIR,weight=0.5". Throws kInvalidInput.
artifact::WeightedAdapter weightedAdapterOf(const std::string& text);

} // namespace roundpipe::cli
