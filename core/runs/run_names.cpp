// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_names.h"

#include "base/error.h"
#include "runs/journal.h"
#include "runs/run_lock.h"
#include "runs/run_status.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace roundpipe::runs {
namespace {

std::set<std::string> byStatus(const RunFiles& files) {
    std::error_code none;
    if (!std::filesystem::exists(files.status(), none)) return {};
    try {
        const std::string run = readStatus(files.folder).run;
        return run.empty() ? std::set<std::string>() : std::set{run};
    } catch (const Error&) { // a person's, or damaged
        return {};
    }
}

std::set<std::string> byJournal(const RunFiles& files) {
    std::set<std::string> names;
    for (const JournalEntry& entry : readJournal(files.journal()))
        if (!entry.run.empty()) names.insert(entry.run);
    return names;
}

bool agree(const RunNames& one, const RunNames& other) {
    return std::ranges::any_of(one.names, [&](const std::string& name) { return other.names.contains(name); });
}

} // namespace

RunNames namesOfRun(const RunFiles& files) {
    const std::array<RunNames, 3> all = {RunNames{files.lock(), RunLock::runsOf(files.folder)},
                                         RunNames{files.status(), byStatus(files)},
                                         RunNames{files.journal(), byJournal(files)}};
    for (const RunNames& one : all)
        for (const RunNames& other : all)
            if (one.by != other.by && agree(one, other)) return one;
    const auto first = std::ranges::find_if(all, [](const RunNames& one) { return !one.names.empty(); });
    return first != all.end() ? *first : all.back();
}

} // namespace roundpipe::runs
