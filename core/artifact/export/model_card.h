// SPDX-License-Identifier: GPL-3.0-or-later
// README.md of an export: what it is, what it came of, how it is used.
#pragma once

#include "artifact/export/export_job.h"
#include "artifact/merge/merged_model.h"

#include <string>

namespace roundpipe::artifact {

// `weightsFile` and `weightsHash`: the file by which it is known, and its SHA-256. Of a run: its data, settings and
// losses, as far as its folder has them.
std::string modelCardOf(const ExportJob& job, const MergedModel& model, const std::string& weightsFile,
                        const std::string& weightsHash);

// How vLLM serves it: a command line.
std::string vllmCommandOf(const ExportJob& job, const MergedModel& model);

} // namespace roundpipe::artifact
