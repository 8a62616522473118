// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a run while it runs: who holds it, how it stands, and what it leaves (runs/run_files.h).
#pragma once

#include "runs/answers_file.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "runs/run_status.h"

#include <filesystem>
#include <optional>

namespace roundpipe::engine {

// Used by the run's thread only.
class RunFolder {
public:
    // Makes the folder, proves that it can be written to, and holds it. What a run left there of which nothing was kept
    // is removed, unless `resume`. Throws kIo or kNoSpace; kInvalidInput where it holds another run's results and
    // `resume` is false, where it holds no checkpoint and `resume` is true, and where another run is under way in it.
    RunFolder(const std::filesystem::path& folder, bool resume);

    const runs::RunFiles& files() const { return m_files; }

    // How the run stands, for those who look at the folder.
    void planned(const session::RunPlan& plan);
    void ended(session::RunState state);
    void failed(const std::string& problem, const std::string& advice);

    void writeSpec(const session::RunSpec& spec);
    // That the run which goes on was begun with; 0 where nothing says it any more.
    int64_t microbatchesBefore() const;
    // One line of metrics.jsonl. Throws kNoSpace or kIo; the line is written with the next one then.
    void appendMetrics(const session::StepMetrics& metrics);
    void writeMetrics(); // what could not be written so far; throws as well
    // Forgets lines of steps after `step`, which a resumed run will write again.
    void truncateMetrics(int64_t step) const;
    void appendAnswer(const runs::SampleAnswer& answer) const;

private:
    runs::RunFiles m_files;
    runs::RunLock m_lock;
    runs::RunStatus m_status;
    std::optional<session::RunSpec> m_spec; // once it was written
    std::string m_unwrittenMetrics;
};

} // namespace roundpipe::engine
