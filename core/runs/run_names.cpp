// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_names.h"

#include "base/error.h"
#include "runs/journal.h"
#include "runs/run_lock.h"
#include "runs/run_status.h"

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

} // namespace

RunNames namesOfRun(const RunFiles& files) {
    if (RunNames found{files.lock(), RunLock::runsOf(files.folder)}; !found.names.empty()) return found;
    if (RunNames found{files.status(), byStatus(files)}; !found.names.empty()) return found;
    return {files.journal(), byJournal(files)};
}

} // namespace roundpipe::runs
