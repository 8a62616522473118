// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/checkpoint_folder.h"

#include "artifact/adapter_pieces.h"
#include "artifact/model_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "runs/checkpoint_manifest.h"
#include "runs/own_folders.h"
#include "runs/run_files.h"

#include <algorithm>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMomentsFile = "optimizer.safetensors";
constexpr const char* kBefore = ".before";

} // namespace

int64_t bytesOf(const CheckpointBlocks& blocks) {
    int64_t bytes = 0;
    const auto add = [&](const AdapterSpans<const std::byte>& spans) {
        for (const std::span<const std::byte>& layer : spans.layers)
            bytes += std::ssize(layer);
    };
    for (const auto* spans : {&blocks.masters, &blocks.firstMoments, &blocks.secondMoments})
        add(*spans);
    if (blocks.versionBefore) add(*blocks.versionBefore);
    return bytes;
}

std::string writeCheckpoint(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                            const arch::LoraConfig& lora, const CheckpointBlocks& blocks, const AdapterOrigin& origin,
                            const runs::TrainingState& state, const std::string& runSpec, const fs::path& keepOld) {
    const fs::path draft = folder.string() + ".part";
    std::string seal;
    runs::makeFolderAnew(draft);
    std::error_code failed;
    try {
        if (layouts.front().trainsBase)
            writeModel(draft, layouts, blocks.masters, origin, blocks.read);
        else
            writeAdapter(draft, layouts, lora, blocks.masters, origin);
        const std::vector<Piece> pieces = piecesOf(layouts);
        std::vector<arch::TensorToWrite> moments = tensorsOf(pieces, blocks.firstMoments, ".first");
        std::ranges::move(tensorsOf(pieces, blocks.secondMoments, ".second"), std::back_inserter(moments));
        if (blocks.versionBefore)
            std::ranges::move(tensorsOf(pieces, *blocks.versionBefore, kBefore), std::back_inserter(moments));
        arch::writeSafetensors(draft / kMomentsFile, moments, {}, blocks.read);
        runs::writeTrainingState(state, draft);
        if (!runSpec.empty()) writeFileAtomically(draft / runs::kCheckpointSettings, runSpec);
        runs::sealCheckpoint(draft);
        seal = runs::sealOf(draft);
    } catch (const Error&) {
        fs::remove_all(draft, failed); // half of it helps nobody and takes the room of others
        throw;
    }
    const fs::path old = keepOld.empty() ? fs::path(draft.string() + ".replaced") : keepOld;
    if (keepOld.empty() && runs::holdsOnlyOwnFiles(old)) fs::remove_all(old, failed); // an interruption has left it
    replaceFolder(draft, folder, old);
    if (keepOld.empty() && runs::holdsOnlyOwnFiles(old)) fs::remove_all(old, failed);
    return seal;
}

DType readMoments(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                  const AdapterSpans<std::byte>& firstMoments, const AdapterSpans<std::byte>& secondMoments) {
    const auto file = arch::SafetensorsFile::open(folder / kMomentsFile);
    const std::vector<Piece> pieces = piecesOf(layouts);
    readPieces(file, pieces, ".first", firstMoments);
    readPieces(file, pieces, ".second", secondMoments);
    return file.find(pieces.front().name + ".first")->dtype;
}

bool readVersionBefore(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                       const AdapterSpans<std::byte>& blocks) {
    const auto file = arch::SafetensorsFile::open(folder / kMomentsFile);
    const std::vector<Piece> pieces = piecesOf(layouts);
    if (pieces.empty() || file.find(pieces.front().name + kBefore) == nullptr) return false;
    readPieces(file, pieces, kBefore, blocks);
    return true;
}

} // namespace roundpipe::artifact
