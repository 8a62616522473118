// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/training_state.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

namespace roundpipe::runs {
namespace {

std::filesystem::path stateFile(const std::filesystem::path& checkpoint) {
    return checkpoint / "state.json";
}

} // namespace

void writeTrainingState(const TrainingState& state, const std::filesystem::path& checkpoint) {
    using Json = nlohmann::json;
    Json json;
    json["version"] = 1;
    json["step"] = state.step;
    json["seed"] = state.seed;
    json["replicas"] = state.replicas;
    json["best_validation_loss"] = state.bestValidationLoss ? Json(*state.bestValidationLoss) : Json();
    writeFileAtomically(stateFile(checkpoint), json.dump(2) + "\n");
}

TrainingState readTrainingState(const std::filesystem::path& checkpoint) {
    const std::filesystem::path file = stateFile(checkpoint);
    const std::string text = readTextFile(file, int64_t{1} << 20);
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        TrainingState state{json.at("step").get<int64_t>(), json.at("seed").get<int64_t>(), std::nullopt,
                            json.value("replicas", 1)};
        if (!json.at("best_validation_loss").is_null())
            state.bestValidationLoss = json["best_validation_loss"].get<double>();
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
