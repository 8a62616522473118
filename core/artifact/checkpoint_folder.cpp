#include "artifact/checkpoint_folder.h"

#include "artifact/adapter_pieces.h"
#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kMomentsFile = "optimizer.safetensors";
constexpr const char* kStateFile = "state.json";

void writeState(const fs::path& path, const TrainingState& state) {
    Json json;
    json["version"] = 1;
    json["step"] = state.step;
    json["seed"] = state.seed;
    json["best_validation_loss"] = state.bestValidationLoss ? Json(*state.bestValidationLoss) : Json();
    writeFileAtomically(path, json.dump(2) + "\n");
}

} // namespace

void writeCheckpoint(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                     const arch::LoraConfig& lora, const CheckpointBlocks& blocks, const AdapterOrigin& origin,
                     const TrainingState& state) {
    const fs::path draft = folder.string() + ".part";
    std::error_code failed;
    fs::remove_all(draft, failed);
    fs::create_directories(draft, failed);
    if (failed) throw ioError("make the folder", draft, failed.value());
    writeAdapter(draft, layouts, lora, blocks.masters, origin);
    const std::vector<Piece> pieces = piecesOf(layouts);
    std::vector<arch::TensorToWrite> moments = tensorsOf(pieces, blocks.firstMoments, ".first");
    std::ranges::move(tensorsOf(pieces, blocks.secondMoments, ".second"), std::back_inserter(moments));
    arch::writeSafetensors(draft / kMomentsFile, moments);
    writeState(draft / kStateFile, state);
    replaceFolder(draft, folder);
}

TrainingState readTrainingState(const fs::path& folder) {
    const fs::path file = folder / kStateFile;
    try {
        const Json json = Json::parse(readTextFile(file, int64_t{1} << 20));
        TrainingState state{json.at("step").get<int64_t>(), json.at("seed").get<int64_t>(), std::nullopt};
        if (!json.at("best_validation_loss").is_null())
            state.bestValidationLoss = json["best_validation_loss"].get<double>();
        return state;
    } catch (const Json::exception& error) {
        throw invalidInput("'" + file.string() + "' is not a checkpoint's state: " + error.what() + ".");
    }
}

void readMoments(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                 const AdapterSpans<std::byte>& firstMoments, const AdapterSpans<std::byte>& secondMoments) {
    const auto file = arch::SafetensorsFile::open(folder / kMomentsFile);
    const std::vector<Piece> pieces = piecesOf(layouts);
    readPieces(file, pieces, ".first", firstMoments);
    readPieces(file, pieces, ".second", secondMoments);
}

} // namespace roundpipe::artifact
