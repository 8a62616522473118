// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe export: what other programs take, made of a run or of a model with adapters, and proved.
#include "artifact/export/consumers.h"
#include "artifact/export/run_export.h"
#include "base/counted.h"
#include "base/units.h"
#include "commands.h"
#include "console/passing_line.h"
#include "console/print_json.h"
#include "console/stop_signal.h"
#include "engine/export_proof.h"
#include "exit_codes.h"
#include "export/export_options.h"
#include "runs/exports_file.h"
#include "runs/run_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roundpipe::cli {
namespace {

using artifact::ExportJob;

void print(const std::vector<session::ExportRemark>& remarks, bool json) {
    if (json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const session::ExportRemark& remark : remarks)
            list.push_back({{"consumer", spellingOf(remark.consumer)},
                            {"refuses", remark.refuses},
                            {"what", remark.what.text()},
                            {"advice", remark.advice.text()}});
        return printJson(list);
    }
    for (const session::ExportRemark& remark : remarks)
        fmt::print("{}  {}\n", remark.refuses ? "refused" : "note   ", remark.text());
    if (remarks.empty()) fmt::print("Nothing is known that another program would refuse.\n");
}

// What was asked for, or whatever could be made of it. What we would refuse ourselves is an error behind it.
int check(const ExportJob& job, const ExportRequest& options) {
    const bool isOneKind = options.kindOption->count() > 0;
    print(isOneKind ? artifact::remarksOn(job) : artifact::remarksOnAllKinds(job), options.json);
    const int64_t bytes = artifact::requireExportable(job);
    if (isOneKind && !options.json) fmt::print("It can be written, and takes {}.\n", formatBytes(bytes));
    return kSuccess;
}

artifact::Exported writeIt(const ExportJob& job, const StopSignal& stop) {
    PassingLine line;
    return artifact::writeExport(job, [&](int64_t bytes, int64_t all) {
        line.show(fmt::format("writing: {} of {}", formatBytes(bytes), formatBytes(all)));
        return !stop.requested();
    });
}

runs::ExportProof proveIt(const ExportJob& job, const ExportRequest& options, const StopSignal& stop) {
    PassingLine line;
    return engine::proveExport(
        {job, proofPromptsOf(options, job), options.proofTokens, options.device, options.precision},
        [&](const std::string& what) {
            line.show("proof: " + what);
            return !stop.requested();
        });
}

void print(const runs::ExportRecord& record) {
    fmt::print("{}\n  {}, {} with SHA-256 {}\n", record.folder, formatBytes(record.bytes), record.weightsFile,
               record.sha256);
    if (!record.proof) return;
    const runs::ExportProof& proof = *record.proof;
    fmt::print("proof {}: {} of {} of {} agree, {} contradict; largest gap of logits {:.4g}, mean {:.3g} % "
               "of their spread ({:.3g} % allowed)\n",
               proof.passed ? "passed" : "FAILED", proof.agreeing, counted(proof.tokens, "token"),
               counted(proof.prompts, "answer"), proof.contradicted, proof.largestGap, 100 * proof.meanGap,
               100 * proof.allowedGap);
}

// The export is whole by then: a proof that can't be made leaves it, and its line in the run's folder, as they are.
int exportIt(const ExportRequest& options) {
    const ExportJob job = jobOf(options);
    if (options.check) return check(job, options);
    const StopSignal stop;
    const artifact::Exported done = writeIt(job, stop); // held until it is proved
    runs::ExportRecord record = artifact::recordOf(job, options.checkpoint, done);
    const auto keep = [&] {
        if (!job.run.empty()) runs::appendExport(record, runs::RunFiles{job.run}.exports());
    };
    try {
        if (!options.noProof) record.proof = proveIt(job, options, stop);
    } catch (...) {
        keep();
        if (!options.json) print(record);
        throw;
    }
    keep();
    if (options.json)
        fmt::print("{}", runs::toJsonLine(record));
    else
        print(record);
    return record.proof && !record.proof->passed ? kProofFailed : kSuccess;
}

} // namespace

CommandBody addExportCommand(CLI::App& app) {
    const auto options = std::make_shared<ExportRequest>();
    addExportOptions(app, *options);
    return [options] { return exportIt(*options); };
}

} // namespace roundpipe::cli
