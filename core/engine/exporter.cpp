// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporter.h"

#include "artifact/export/consumers.h"
#include "artifact/export/run_export.h"
#include "base/error.h"
#include "engine/export_proof.h"
#include "runs/run_files.h"

#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace roundpipe::engine {
namespace {

using session::ExportFailed;
using session::ExportResult;
using session::ExportState;
using session::ExportTask;

artifact::ExportJob jobOf(const ExportTask& request) {
    artifact::ExportJob job = artifact::jobOfRun(request.run, request.checkpoint);
    job.kind = request.kind;
    job.type = request.type;
    job.out = runs::exportFolderOf(request.run, request.kind, request.type, request.checkpoint);
    return job;
}

session::ExportRemarks checked(const ExportTask& request) {
    return {request, artifact::remarksOn(jobOf(request))};
}

using OnState = std::function<bool(const ExportState&)>; // false: it is to be given up

runs::ExportProof proved(const artifact::ExportJob& job, const OnState& report) {
    const ProofJob proof{job, proofPromptsOf(job.run)};
    // Two models are loaded, and each is asked all of the prompts.
    ExportState now{ExportState::Phase::kProving, 0, 2 + 2 * static_cast<int64_t>(proof.prompts.size())};
    return proveExport(proof, [&](const std::string&) {
        const bool goesOn = report(now);
        ++now.done;
        return goesOn;
    });
}

// Once it is whole, the run's folder tells of it, whatever comes of the proof.
session::ExportMade made(const ExportTask& request, const OnState& report, bool& isWhole) {
    const artifact::ExportJob job = jobOf(request);
    const artifact::Exported exported = artifact::writeExport(job, [&](int64_t done, int64_t all) {
        return report({ExportState::Phase::kWriting, done, all});
    });
    isWhole = true;
    runs::ExportRecord record = artifact::recordOf(job, request.checkpoint, exported);
    const auto keep = [&] { runs::appendExport(record, runs::RunFiles{job.run}.exports()); };
    try {
        if (request.isProved) record.proof = proved(job, report);
    } catch (...) {
        keep();
        throw;
    }
    keep();
    return {request, exported.folder};
}

class LocalExporter final : public session::Exporter {
public:
    ~LocalExporter() override { cancel(); }

    void check(const ExportTask& request) override {
        start({.request = request, .wasChecked = true}, [request](ExportFailed&) { return checked(request); });
    }

    void begin(const ExportTask& request) override {
        start({.request = request}, [this, request](ExportFailed& failed) {
            return made(
                request,
                [this](const ExportState& now) {
                    const std::lock_guard lock(m_mutex);
                    m_progress = now;
                    return !m_isCancelled;
                },
                failed.isWhole);
        });
    }

    void cancel() override {
        const std::lock_guard lock(m_mutex);
        m_isCancelled = true;
    }

    bool isBusy() const override {
        const std::lock_guard lock(m_mutex);
        return m_isBusy;
    }
    ExportState progress() const override {
        const std::lock_guard lock(m_mutex);
        return m_progress;
    }
    std::vector<ExportResult> takeResults() override {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_results, {});
    }

private:
    // `ifFailed` is what it comes to where the work throws; the work may add to it.
    template <typename Work>
    static ExportResult resultOf(ExportFailed ifFailed, const Work& work) {
        try {
            return work(ifFailed);
        } catch (const Error& error) {
            ifFailed.problem = error.message();
            ifFailed.advice = error.advice();
            ifFailed.problemKind = error.kind();
        } catch (const std::exception& error) {
            ifFailed.problem = error.what();
        }
        return ifFailed;
    }

    template <typename Work>
    void start(ExportFailed ifFailed, Work work) {
        {
            const std::lock_guard lock(m_mutex);
            m_isBusy = true;
            m_isCancelled = false;
            m_progress = {};
        }
        m_thread = std::jthread([this, ifFailed = std::move(ifFailed), work = std::move(work)] {
            ExportResult result = resultOf(ifFailed, work);
            const std::lock_guard lock(m_mutex);
            m_results.push_back(std::move(result));
            m_isBusy = false;
        });
    }

    mutable std::mutex m_mutex; // guards what follows
    bool m_isBusy = false, m_isCancelled = false;
    ExportState m_progress;
    std::vector<ExportResult> m_results;

    std::jthread m_thread; // last: it uses the rest
};

} // namespace

std::unique_ptr<session::Exporter> makeExporter() {
    return std::make_unique<LocalExporter>();
}

} // namespace roundpipe::engine
