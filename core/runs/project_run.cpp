// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/project_run.h"

#include "base/error.h"
#include "runs/run_files.h"

#include <algorithm>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

// A project's own folder has a run.json too.
bool hasRun(const fs::path& folder) {
    const RunFiles files{folder};
    std::error_code ignored;
    return !folder.empty() && (fs::exists(files.status(), ignored) || fs::exists(files.metrics(), ignored));
}

bool hasSameModel(const session::RunSpec& a, const session::RunSpec& b) {
    return !a.model.path.empty() && a.model.path == b.model.path;
}

bool hasSameRows(const session::RunSpec& a, const session::RunSpec& b) {
    const auto filesOf = &session::DatasetSection::files;
    return !a.data.datasets.front().files.empty() &&
           std::ranges::equal(a.data.datasets, b.data.datasets, {}, filesOf, filesOf);
}

// A run without a name has a folder that newRunFolder() named after its project.
bool hasName(const StoredRun& run, const session::RunSpec& spec, const std::string& name) {
    return spec.name.empty() ? run.folder.filename().string().starts_with(name + "-") : spec.name == name;
}

bool isMadeOf(const StoredRun& run, const session::RunSpec& project, const std::string& name) {
    try {
        const session::RunSpec spec = specOf(run.folder);
        return hasName(run, spec, name) && (hasSameModel(spec, project) || hasSameRows(spec, project));
    } catch (const Error&) {
        return false;
    }
}

} // namespace

std::optional<fs::path> newestRunOf(const session::RunSpec& project, const std::string& projectName,
                                    const fs::path& projectFolder, const std::vector<StoredRun>& latestFirst) {
    if (projectFolder.empty()) return std::nullopt;
    for (const fs::path& own : {projectFolder, fs::path(project.output.folder)})
        if (hasRun(own)) return own;
    const auto found = std::ranges::find_if(latestFirst, [&](const StoredRun& run) {
        const bool failedAtOnce = run.outcome == RunOutcome::kFailed && run.steps == 0; // nothing came out of it
        return !failedAtOnce && isMadeOf(run, project, projectName);
    });
    return found == latestFirst.end() ? std::nullopt : std::optional(found->folder);
}

} // namespace roundpipe::runs
