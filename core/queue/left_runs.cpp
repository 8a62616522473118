// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/left_runs.h"

#include "base/error.h"

#include <map>
#include <utility>

namespace roundpipe::queue {
namespace {

namespace fs = std::filesystem;

fs::path placeOf(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_symlink(folder, ignored) ? fs::weakly_canonical(folder, ignored) : folder;
}

class KnownRuns {
public:
    explicit KnownRuns(std::vector<runs::StoredRun> runs) : m_runs(std::move(runs)) {
        for (const runs::StoredRun& run : m_runs) {
            m_byPlace.emplace(placeOf(run.folder), &run);
            if (!run.id.empty()) m_byId.emplace(run.id, &run);
        }
    }

    // Where it was, unless another one lies there now; else wherever it is.
    std::optional<runs::StoredRun> find(const BegunRun& entry) const {
        const auto there = m_byPlace.find(placeOf(entry.folder));
        const runs::StoredRun* run = there == m_byPlace.end() ? nullptr : there->second;
        std::optional<runs::StoredRun> read;
        if (run == nullptr && runs::isRunFolder(entry.folder)) run = &read.emplace(runs::readRun(entry.folder));
        if (run != nullptr && (entry.id.empty() || run->id == entry.id)) return *run;
        const auto moved = entry.id.empty() ? m_byId.end() : m_byId.find(entry.id);
        return moved == m_byId.end() ? std::nullopt : std::optional(*moved->second);
    }

private:
    std::vector<runs::StoredRun> m_runs;
    std::map<fs::path, const runs::StoredRun*> m_byPlace;
    std::map<std::string, const runs::StoredRun*> m_byId;
};

} // namespace

double LeftRun::secondsLeft() const {
    if (!run || run->steps == 0 || run->totalSteps <= run->steps) return 0;
    return run->seconds / static_cast<double>(run->steps) * static_cast<double>(run->totalSteps - run->steps);
}

std::vector<LeftRun> leftRunsOf(const std::vector<BegunRun>& begun, runs::RunLibrary& library, bool isTrained) {
    if (begun.empty()) return {};
    const KnownRuns known(library.list());
    std::vector<LeftRun> left;
    for (const BegunRun& entry : begun) {
        LeftRun& one = left.emplace_back();
        one.entry = entry;
        if (hasOwnFolder(entry, begun)) one.run = known.find(entry);
        one.isStarting = isTrained && !one.run && !entry.hasEnded && entry.problem.empty();
        try {
            if (one.isUnderWay()) one.spec = runs::specOf(one.run->folder);
        } catch (const Error&) { // it stands among those of the devices that it was begun on
        }
    }
    return left;
}

} // namespace roundpipe::queue
