// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of a run: from what of it they are made, and what is kept of them.
#pragma once

#include "artifact/export/export_job.h"
#include "runs/exports_file.h"

#include <filesystem>
#include <string>

namespace roundpipe::artifact {

// The run's result, or one of its checkpoints ("last", "best"): adapters over the base, or a model of its own. Model,
// adapters, name and run are set. Throws kInvalidInput where there is nothing to export.
ExportJob jobOfRun(const std::filesystem::path& run, const std::string& checkpoint);

// Made now, and not proved.
runs::ExportRecord recordOf(const ExportJob& job, const std::string& checkpoint, const Exported& exported);

} // namespace roundpipe::artifact
