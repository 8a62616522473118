// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_status.h"

#include "base/content_hash.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "runs/run_files.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace roundpipe::runs {
namespace {

constexpr int kStatusVersion = 1;

} // namespace

void writeStatus(const RunStatus& status, const std::filesystem::path& runFolder) {
    nlohmann::ordered_json json = {{"version", kStatusVersion},
                                   {"state", spellingOf(status.state)},
                                   {"started_at", status.startedAt},
                                   {"ended_at", status.endedAt},
                                   {"model", status.model},
                                   {"devices", status.devices},
                                   {"total_steps", status.totalSteps},
                                   {"examples", status.numExamples},
                                   {"trainable_parameters", status.numTrainableParameters},
                                   {"problem", status.problem},
                                   {"advice", status.advice},
                                   {"settings", status.settings}};
    if (!status.settingsToCome.empty()) json["settings_to_come"] = status.settingsToCome;
    if (!status.run.empty()) json["run"] = status.run;
    using Json = nlohmann::ordered_json;
    writeFileAtomically(RunFiles{runFolder}.status(), json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string hashOfSettings(session::RunSpec spec) {
    spec.output.folder.clear();
    return contentHash(session::toJson(std::move(spec)));
}

namespace {

// Of a run that knows its run.json.
std::optional<RunStatus> statusThatKnows(const std::filesystem::path& file) {
    try {
        RunStatus status = readStatus(file.parent_path());
        if (status.settings == contentHashOfFile(file)) return status;
    } catch (const Error&) { // a run without one knows nothing of it
    }
    return std::nullopt;
}

} // namespace

void rewriteSettings(const session::RunSpec& spec, const std::filesystem::path& runFolder) {
    const std::filesystem::path file = RunFiles{runFolder}.spec();
    std::optional<RunStatus> status = statusThatKnows(file);
    if (status) {
        status->settingsToCome = hashOfSettings(spec);
        writeStatus(*status, runFolder);
    }
    session::writeRunSpec(spec, file);
    if (!status) return;
    status->settings = contentHashOfFile(file);
    status->settingsToCome.clear();
    try {
        writeStatus(*status, runFolder);
    } catch (const Error&) { // it knows what was to come, too
    }
}

RunStatus readStatus(const std::filesystem::path& runFolder) {
    const std::filesystem::path file = RunFiles{runFolder}.status();
    const std::string text = readTextFile(file, int64_t{1} << 20);
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        const auto state = fromSpelling<session::RunState>(json.at("state").get<std::string>());
        if (json.at("version") != kStatusVersion || !state)
            throw invalidInput("'" + file.string() + "' was written by another version of the program.");
        RunStatus status;
        status.state = *state;
        json.at("started_at").get_to(status.startedAt);
        json.at("ended_at").get_to(status.endedAt);
        json.at("model").get_to(status.model);
        json.at("devices").get_to(status.devices);
        json.at("total_steps").get_to(status.totalSteps);
        json.at("examples").get_to(status.numExamples);
        json.at("trainable_parameters").get_to(status.numTrainableParameters);
        json.at("problem").get_to(status.problem);
        json.at("advice").get_to(status.advice);
        status.settings = json.value("settings", ""); // older versions did not write it down
        status.settingsToCome = json.value("settings_to_come", "");
        status.run = json.value("run", "");
        return status;
    } catch (const nlohmann::json::exception& error) {
        throw invalidInput("'" + file.string() +
                           "' is no run's status: " + wordsForJsonError(error.id, error.what(), text) + ".");
    }
}

} // namespace roundpipe::runs
