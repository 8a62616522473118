// SPDX-License-Identifier: GPL-3.0-or-later
// What lies where in the folder of a run. The engine writes these files, and this folder reads them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace roundpipe::runs {

// In a checkpoint's folder: the run's settings as they were.
inline constexpr const char* kCheckpointSettings = "settings.json";

// In the name of what lay where a run writes, and was not its own.
inline constexpr const char* kAsideOfOthers = "-of-others";

struct RunFiles {
    std::filesystem::path folder;

    std::filesystem::path spec() const { return folder / "run.json"; }
    std::filesystem::path status() const { return folder / "status.json"; }
    std::filesystem::path metrics() const { return folder / "metrics.jsonl"; }
    std::filesystem::path answers() const { return folder / "answers.jsonl"; }
    std::filesystem::path samplePrompts() const { return folder / "sample-prompts.json"; } // that it was given
    std::filesystem::path exports() const { return folder / "exports.jsonl"; }
    std::filesystem::path exportsFolder() const { return folder / "exports"; } // of those that name no other place
    std::filesystem::path conversations() const { return folder / "conversations"; } // with its result
    std::filesystem::path log() const { return folder / "run.log"; }
    std::filesystem::path trace() const { return folder / "trace.rptrace"; }
    // Of the steps before that one, from which the run was continued.
    std::filesystem::path earlierTrace(int64_t step) const {
        return folder / ("trace-to-step-" + std::to_string(step) + ".rptrace");
    }
    std::filesystem::path note() const { return folder / "note.txt"; }         // of a person, on the run
    std::filesystem::path lock() const { return folder / "run.lock"; }         // held while it runs
    std::filesystem::path socket() const { return folder / "run.socket"; }     // by which a run is followed
    std::filesystem::path journal() const { return folder / "journal.jsonl"; } // what happened to it
    std::filesystem::path checkpoints() const { return folder / "checkpoints"; }
    std::filesystem::path lastCheckpoint() const { return checkpoints() / "last"; }
    // One that was the last, where more than one is kept.
    std::filesystem::path earlierCheckpoint(int64_t step) const {
        return checkpoints() / ("step-" + std::to_string(step));
    }
    std::filesystem::path bestCheckpoint() const { return checkpoints() / "best"; }
    std::filesystem::path adapter() const { return folder / "adapter"; }
    std::filesystem::path model() const { return folder / "model"; } // where the weights were trained
};

} // namespace roundpipe::runs
