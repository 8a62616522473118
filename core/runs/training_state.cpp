// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/training_state.h"

#include "base/bytes_as_text.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace roundpipe::runs {
namespace {

std::filesystem::path stateFile(const std::filesystem::path& checkpoint) {
    return checkpoint / "state.json";
}

LossScale lossScaleIn(const nlohmann::json& json) {
    return {json.at("scale").get<double>(), json.at("before").get<double>(),
            static_cast<int32_t>(wholeNumberAt(json, "good_steps")), wholeNumberAt(json, "skipped_steps")};
}

bool isPowerOfTwo(double value) {
    int exponent = 0;
    return std::isfinite(value) && std::frexp(value, &exponent) == 0.5;
}

bool isWhole(const TrainingState& state) {
    const auto& scale = state.lossScale;
    return !scale || (isPowerOfTwo(scale->scale) && isPowerOfTwo(scale->before) && scale->skippedSteps >= 0 &&
                      scale->skippedSteps <= state.step);
}

} // namespace

void writeTrainingState(const TrainingState& state, const std::filesystem::path& checkpoint) {
    using Json = nlohmann::json;
    Json json;
    json["version"] = 1;
    json["step"] = state.step;
    json["seed"] = state.seed;
    json["replicas"] = state.replicas;
    if (const auto& scale = state.lossScale)
        json["loss_scale"] = {{"scale", scale->scale},
                              {"before", scale->before},
                              {"good_steps", scale->goodSteps},
                              {"skipped_steps", scale->skippedSteps}};
    json["best_validation_loss"] = state.bestValidationLoss ? Json(*state.bestValidationLoss) : Json();
    json["validations_not_lower"] = state.validationsNotLower;
    if (!state.run.empty()) json["run"] = state.run;
    if (const auto& print = state.fingerprint) {
        json["program"] = ROUNDPIPE_VERSION;
        json["fingerprint"] = {{"rows", print->rows},
                               {"config", print->config},
                               {"weights", print->weights},
                               {"validation", print->validation}};
    }
    writeFileAtomically(stateFile(checkpoint), json.dump(2) + "\n");
}

TrainingState readTrainingState(const std::filesystem::path& checkpoint) {
    const std::filesystem::path file = stateFile(checkpoint);
    const std::string text = readTextFile(file, int64_t{1} << 20);
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        TrainingState state;
        state.step = wholeNumberAt(json, "step");
        state.seed = wholeNumberAt(json, "seed");
        state.replicas = static_cast<int32_t>(wholeNumberAt(json, "replicas", 1));
        if (json.contains("loss_scale")) state.lossScale = lossScaleIn(json["loss_scale"]);
        if (!json.at("best_validation_loss").is_null())
            state.bestValidationLoss = json["best_validation_loss"].get<double>();
        state.validationsNotLower = wholeNumberAt(json, "validations_not_lower", 0);
        if (json.contains("fingerprint"))
            state.fingerprint = {json["fingerprint"].at("rows").get<std::string>(),
                                 json["fingerprint"].value("config", ""), json["fingerprint"].value("weights", ""),
                                 json["fingerprint"].value("validation", "")};
        state.run = json.value("run", "");
        if (!isWhole(state))
            throw invalidInput("'" + file.string() +
                               "' is not a checkpoint's state: its loss_scale is no power of two, "
                               "or has more skipped steps than there were.");
        return state;
    } catch (const nlohmann::json::exception& error) {
        throw invalidInput("'" + file.string() +
                           "' is not a checkpoint's state: " + wordsForJsonError(error.id, error.what(), text) + ".");
    }
}

bool hasTrainingState(const std::filesystem::path& checkpoint) {
    return std::filesystem::exists(stateFile(checkpoint));
}

bool isCheckpoint(const std::filesystem::path& folder) {
    const bool isAside = folder.filename().native().find(kAsideOfOthers) != std::string::npos;
    const bool isOne =
        hasTrainingState(folder) || !sealOf(folder).empty(); // else what lacks its state were none at all
    return !isAside && folder.extension() != ".part" && isOne;
}

namespace {

// What an older version has put aside to replace it may be all that there is.
std::vector<std::filesystem::path> checkpointsOf(const RunFiles& files) {
    std::vector<std::filesystem::path> folders;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(files.checkpoints(), failed), end; !failed && entry != end;
         entry.increment(failed))
        if (entry->is_directory(failed) && isCheckpoint(entry->path())) folders.push_back(entry->path());
    std::ranges::sort(folders);
    return folders;
}

} // namespace

CheckpointSearch newestCheckpoint(const RunFiles& files, LookAt what, int64_t atMost) {
    CheckpointSearch search;
    std::vector<FoundCheckpoint> found;
    for (const std::filesystem::path& folder : checkpointsOf(files)) {
        try {
            TrainingState state = readTrainingState(folder);
            if (state.step <= atMost) found.push_back({folder, std::move(state)});
        } catch (const Error& error) {
            search.damaged.push_back(asText(error.message())); // it may quote a byte that is no text
        }
    }
    const auto isLast = [&](const FoundCheckpoint& one) { return one.folder == files.lastCheckpoint(); };
    std::ranges::stable_sort(found, [&](const FoundCheckpoint& a, const FoundCheckpoint& b) {
        return a.state.step != b.state.step ? a.state.step > b.state.step : isLast(a) && !isLast(b);
    });
    for (FoundCheckpoint& candidate : found) {
        std::string damage = damageOf(candidate.folder, what);
        if (damage.empty()) {
            search.newest = std::move(candidate);
            break;
        }
        search.damaged.push_back(std::move(damage));
    }
    return search;
}

std::vector<std::string> earlierCheckpoints(const RunFiles& files) {
    std::vector<std::pair<int64_t, std::string>> found;
    for (const std::filesystem::path& folder : checkpointsOf(files)) {
        const std::string name = folder.filename().string();
        constexpr std::string_view kPrefix = "step-";
        int64_t step = 0;
        const char* const end = name.data() + name.size();
        if (name.starts_with(kPrefix) && std::from_chars(name.data() + kPrefix.size(), end, step).ptr == end)
            found.emplace_back(step, name);
    }
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto& [step, name] : found)
        names.push_back(std::move(name));
    return names;
}

} // namespace roundpipe::runs
