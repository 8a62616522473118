// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/training_state.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace roundpipe::runs {
namespace {

std::filesystem::path stateFile(const std::filesystem::path& checkpoint) {
    return checkpoint / "state.json";
}

LossScale lossScaleIn(const nlohmann::json& json) {
    return {json.at("scale").get<double>(), json.at("before").get<double>(), json.at("good_steps").get<int32_t>(),
            json.at("skipped_steps").get<int64_t>()};
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
    writeFileAtomically(stateFile(checkpoint), json.dump(2) + "\n");
}

TrainingState readTrainingState(const std::filesystem::path& checkpoint) {
    const std::filesystem::path file = stateFile(checkpoint);
    const std::string text = readTextFile(file, int64_t{1} << 20);
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        TrainingState state;
        state.step = json.at("step").get<int64_t>();
        state.seed = json.at("seed").get<int64_t>();
        state.replicas = json.value("replicas", 1);
        if (json.contains("loss_scale")) state.lossScale = lossScaleIn(json["loss_scale"]);
        if (!json.at("best_validation_loss").is_null())
            state.bestValidationLoss = json["best_validation_loss"].get<double>();
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

std::filesystem::path checkpointToResumeFrom(const RunFiles& files) {
    const bool hasBestAlone = !hasTrainingState(files.lastCheckpoint()) && hasTrainingState(files.bestCheckpoint());
    return hasBestAlone ? files.bestCheckpoint() : files.lastCheckpoint();
}

} // namespace roundpipe::runs
