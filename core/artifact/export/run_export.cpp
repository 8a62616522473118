// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/export/run_export.h"

#include "base/error.h"
#include "runs/run_files.h"
#include "runs/stored_run.h"

#include <ctime>

namespace roundpipe::artifact {

namespace fs = std::filesystem;

ExportJob jobOfRun(const fs::path& run, const std::string& checkpoint) {
    const runs::RunFiles files{run};
    const auto spec = runs::specOf(run);
    ExportJob job;
    job.run = run;
    job.name = runs::readRun(run).name;
    fs::path adapter = files.adapter(), model = files.model();
    if (!checkpoint.empty()) adapter = model = files.checkpoints() / checkpoint;
    if (fs::exists(adapter / "adapter_config.json")) {
        job.model = spec.model.path;
        job.adapters = {{adapter, 1}};
    } else if (fs::exists(model / "config.json")) {
        job.model = model;
    } else {
        throw invalidInput("'" + run.string() + "' has nothing to export" +
                               (checkpoint.empty() ? "." : " as checkpoint '" + checkpoint + "'."),
                           "A run leaves its result when it ends or is stopped; its checkpoints last and best are what "
                           "it has saved on the way.");
    }
    return job;
}

runs::ExportRecord recordOf(const ExportJob& job, const std::string& checkpoint, const Exported& exported) {
    runs::ExportRecord record;
    record.when = static_cast<int64_t>(std::time(nullptr));
    record.kind = spellingOf(job.kind);
    if (hasGgufType(job.kind)) record.type = spellingOf(job.type);
    record.checkpoint = checkpoint;
    record.folder = exported.folder.string();
    record.bytes = exported.bytes;
    record.weightsFile = exported.weightsFile;
    record.sha256 = exported.weightsHash;
    return record;
}

} // namespace roundpipe::artifact
