// SPDX-License-Identifier: GPL-3.0-or-later
// Exports as the window sees them, without an engine: a folder, a line in the run's file, words of other programs.
#pragma once

#include "runs/exports_file.h"
#include "runs/run_files.h"
#include "session/exporter.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace roundpipe::testing {

inline runs::ExportRecord exportRecord(const std::filesystem::path& run, ExportKind kind, GgufType type, bool passes) {
    runs::ExportRecord made;
    made.when = 1'700'000'000;
    made.kind = spellingOf(kind);
    if (hasGgufType(kind)) made.type = spellingOf(type);
    made.folder = runs::exportFolderOf(run, kind, type, {}).string();
    made.bytes = int64_t{5'030} << 20;
    made.weightsFile = "model.gguf";
    made.sha256 = "0f3c";
    made.proof = runs::ExportProof{
        8, 256, passes ? 251 : 96, passes ? 0 : 41, passes ? 0.31 : 9.2, passes ? 0.018 : 0.81, 0.4, passes};
    return made;
}

// As if it lay there.
inline void writeExport(const std::filesystem::path& run, const runs::ExportRecord& made) {
    std::filesystem::create_directories(made.folder);
    runs::appendExport(made, runs::RunFiles{run}.exports());
}

// Writing goes on until `finish()`, or until it is cancelled.
class ShownExporter final : public session::Exporter {
public:
    explicit ShownExporter(bool passes = true) : m_passes(passes) {}

    void check(const session::ExportTask& request) override {
        session::ExportRemarks found{request, {}};
        if (request.kind == ExportKind::kGgufAdapter)
            found.remarks.push_back({session::Consumer::kLlamaCpp, true, CodedText(session::ExportNote::kHeadIsTied),
                                     CodedText(session::ExportAdvice::kNoHeadForGguf)});
        found.remarks.push_back({session::Consumer::kVllm,
                                 false,
                                 CodedText(session::ExportNote::kRankAsOption, 24, 32, "1, 8, 16, 32, 64"),
                                 {}});
        m_results.emplace_back(std::move(found));
    }
    void begin(const session::ExportTask& request) override {
        m_underWay = request;
        m_progress = {session::ExportState::Phase::kWriting, int64_t{1'900} << 20, int64_t{5'030} << 20};
    }
    void cancel() override {
        session::ExportFailed failed{*std::exchange(m_underWay, {})};
        failed.problemKind = ErrorKind::kCancelled;
        m_results.emplace_back(std::move(failed));
    }
    bool isBusy() const override { return m_underWay || !m_results.empty(); }
    session::ExportState progress() const override { return m_progress; }
    std::vector<session::ExportResult> takeResults() override { return std::exchange(m_results, {}); }

    void prove() { m_progress = {session::ExportState::Phase::kProving, 3, 18}; }
    void finish() {
        const session::ExportTask request = *std::exchange(m_underWay, {});
        const runs::ExportRecord made = exportRecord(request.run, request.kind, request.type, m_passes);
        writeExport(request.run, made);
        m_results.emplace_back(session::ExportMade{request, made.folder});
    }
    void fail(const char* problem) {
        session::ExportFailed failed{*std::exchange(m_underWay, {})};
        failed.problem = problem;
        m_results.emplace_back(std::move(failed));
    }
    const std::optional<session::ExportTask>& underWay() const { return m_underWay; }

private:
    bool m_passes;
    std::optional<session::ExportTask> m_underWay;
    session::ExportState m_progress;
    std::vector<session::ExportResult> m_results;
};

} // namespace roundpipe::testing
