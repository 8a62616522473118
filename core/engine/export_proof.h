// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an export answers as what it was made from: both are asked the same, and compared token by token.
#pragma once

#include "artifact/export/export_job.h"
#include "base/choices.h"
#include "runs/exports_file.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roundpipe::engine {

struct ProofJob {
    artifact::ExportJob job;          // that was written
    std::vector<std::string> prompts; // what the user says
    int64_t tokens = 32;              // of each answer, at most
    std::string device = "auto";
    Precision precision = Precision::kAuto;
};

// What the run in this folder was asked; eight usual ones where it was asked nothing, or for no run (empty).
std::vector<std::string> proofPromptsOf(const std::filesystem::path& run);

// Base and adapter answer greedily; then the export, read back from its files, says of each of these tokens what it
// would have chosen. It passes where the gap of all logits is one that its type makes, and where hardly a token
// contradicts: another one is chosen though the first was ahead by several such gaps. `say`: what is being done;
// false cancels. Throws Error; kUnsupported where base and adapters can't be loaded together.
runs::ExportProof proveExport(const ProofJob& job, const std::function<bool(const std::string&)>& say = {});

} // namespace roundpipe::engine
