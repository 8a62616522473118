// SPDX-License-Identifier: GPL-3.0-or-later
// The door to exports: a run's result made into what other programs take, and asked whether it answers as before. The
// GUI knows this interface only; core/engine implements it.
//
// Everything that crosses is a plain value; what was made is kept in the run's folder (runs/exports_file.h).
#pragma once

#include "base/error.h"
#include "base/export_choices.h"
#include "session/spec/export_remark.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace roundpipe::session {

struct ExportTask {
    std::filesystem::path run;   // its folder
    std::string checkpoint = {}; // of it: "last", "best"; empty: its result
    ExportKind kind = ExportKind::kOllama;
    GgufType type = GgufType::kQ4KM; // of GGUF files; of GGUF adapters fp32, fp16 or bf16
    bool isProved = true;            // its answers are compared with those of what it was made from
};

struct ExportState {
    enum class Phase : uint8_t { kWriting, kProving };
    Phase phase = Phase::kWriting;
    int64_t done = 0, all = 0; // bytes; of the proof, its steps. 0 of 0: not begun yet
};

// To check(): what is known before anything is written.
struct ExportRemarks {
    ExportTask request;
    std::vector<ExportRemark> remarks;
};
// To begin(): it is whole, and the run's folder tells of it.
struct ExportMade {
    ExportTask request;
    std::filesystem::path folder;
};
struct ExportFailed {
    ExportTask request;
    bool wasChecked = false; // of check(), else of begin()
    bool isWhole = false; // the export is there all the same: it is the proof that was given up, or could not be made
    std::string problem = {}, advice = {};
    ErrorKind problemKind = ErrorKind::kInternal; // kCancelled: by cancel()
};
using ExportResult = std::variant<ExportRemarks, ExportMade, ExportFailed>;

// One thing at a time, in a thread of its own. All calls come from one thread, any; none blocks for more than a few
// milliseconds, except the destructor, which gives up what is under way and waits for the piece or the answer that it
// is at.
class Exporter {
public:
    virtual ~Exporter() = default;

    // Each while nothing else is under way.
    virtual void check(const ExportTask& request) = 0;
    virtual void begin(const ExportTask& request) = 0;
    virtual void cancel() = 0; // ends in ExportFailed; no-op where nothing is under way

    virtual bool isBusy() const = 0;
    virtual ExportState progress() const = 0;            // of begin(); latest-wins
    virtual std::vector<ExportResult> takeResults() = 0; // since the last call
};

} // namespace roundpipe::session
