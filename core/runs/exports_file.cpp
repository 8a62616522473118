// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/exports_file.h"

#include "base/bytes_as_text.h"
#include "runs/json_lines.h"
#include "runs/run_files.h"
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json jsonOf(const ExportProof& proof) {
    return {{"prompts", proof.prompts},           {"tokens", proof.tokens},          {"agreeing", proof.agreeing},
            {"contradicted", proof.contradicted}, {"largest_gap", proof.largestGap}, {"mean_gap", proof.meanGap},
            {"allowed_gap", proof.allowedGap},    {"passed", proof.passed}};
}

ExportProof proofOf(const nlohmann::json& json) {
    return {wholeNumberAt(json, "prompts"),       wholeNumberAt(json, "tokens"),
            wholeNumberAt(json, "agreeing"),      wholeNumberAt(json, "contradicted"),
            json.at("largest_gap").get<double>(), json.at("mean_gap").get<double>(),
            json.at("allowed_gap").get<double>(), json.at("passed").get<bool>()};
}

} // namespace

std::filesystem::path exportFolderOf(const std::filesystem::path& run, ExportKind kind, GgufType type,
                                     const std::string& checkpoint) {
    std::string name = spellingOf(kind);
    if (hasGgufType(kind)) name += std::string("-") + spellingOf(type);
    if (!checkpoint.empty()) name += "-" + checkpoint;
    return RunFiles{run}.exportsFolder() / name;
}

std::string toJsonLine(const ExportRecord& record) {
    nlohmann::ordered_json json;
    json["when"] = record.when;
    json["kind"] = record.kind;
    json["type"] = record.type;
    if (!record.checkpoint.empty()) json["checkpoint"] = record.checkpoint;
    json["folder"] = asText(record.folder);
    json["bytes"] = record.bytes;
    json["weights_file"] = record.weightsFile;
    json["sha256"] = record.sha256;
    json["proof"] = record.proof ? jsonOf(*record.proof) : nlohmann::ordered_json();
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void appendExport(ExportRecord record, const fs::path& file) {
    const fs::path run = fs::weakly_canonical(fs::absolute(file).parent_path());
    const fs::path within = fs::weakly_canonical(fs::absolute(record.folder)).lexically_relative(run);
    const bool isWithin = !within.empty() && *within.begin() != "..";
    record.folder = isWithin ? within.string() : fs::absolute(record.folder).string();
    appendLine(file, toJsonLine(record));
}

std::vector<ExportRecord> readExports(const fs::path& file) {
    std::vector<ExportRecord> all;
    forEachLine(file, "export", [&](std::string_view line) {
        const nlohmann::json json = nlohmann::json::parse(line);
        ExportRecord record{wholeNumberAt(json, "when"),
                            json.at("kind").get<std::string>(),
                            json.at("type").get<std::string>(),
                            json.value("checkpoint", std::string()),
                            bytesOf(json.at("folder").get<std::string>()),
                            wholeNumberAt(json, "bytes"),
                            json.at("weights_file").get<std::string>(),
                            json.at("sha256").get<std::string>(),
                            {}};
        record.folder = (file.parent_path() / record.folder).string(); // stays as it is where it is absolute
        if (!json.at("proof").is_null()) record.proof = proofOf(json.at("proof"));
        all.push_back(std::move(record));
    });
    return all;
}

} // namespace roundpipe::runs
