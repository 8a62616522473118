// The folder of a run: run.json, metrics.jsonl, run.log, trace.json, checkpoints/{last,best}, adapter/.
#pragma once

#include "session/engine.h"

#include <filesystem>

namespace roundpipe::engine {

class RunFolder {
public:
    // Makes the folder and proves that it can be written to. Throws kIo or kNoSpace; kInvalidInput where it holds
    // another run's results and `resume` is false.
    RunFolder(const std::filesystem::path& folder, bool resume);

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path lastCheckpoint() const { return m_path / "checkpoints" / "last"; }
    std::filesystem::path bestCheckpoint() const { return m_path / "checkpoints" / "best"; }
    std::filesystem::path adapter() const { return m_path / "adapter"; }
    std::filesystem::path trace() const { return m_path / "trace.json"; }
    bool hasCheckpoint() const;

    void writeSpec(const session::RunSpec& spec) const;
    // One line of metrics.jsonl, on the disk when the call returns. Throws kNoSpace or kIo.
    void appendMetrics(const session::StepMetrics& metrics);
    // Forgets lines of steps after `step`, which a resumed run will write again.
    void truncateMetrics(int64_t step);

private:
    std::filesystem::path m_path;
};

// {"step": 1, "loss": …}: stable keys, a null validation loss where none was taken.
std::string toJsonLine(const session::StepMetrics& metrics);

} // namespace roundpipe::engine
