// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/adapter.h"

#include "artifact/adapter_config.h"
#include "artifact/adapter_names.h"
#include "artifact/adapter_pieces.h"
#include "artifact/base_fingerprint.h"
#include "artifact/tokenizer_files.h"
#include "base/error.h"
#include "base/file.h"

#include <algorithm>
#include <optional>
#include <set>

namespace roundpipe::artifact {

namespace fs = std::filesystem;

namespace {

// Of a model whose embedding and head share a table an adapter has it under both names, and the same.
void requireSame(const arch::SafetensorsFile& file, const std::vector<Piece>& pieces, const Piece& shared) {
    const auto table = std::ranges::find_if(
        pieces, [&](const Piece& piece) { return piece.layer == shared.layer && piece.offset == shared.offset; });
    const arch::TensorEntry* ofHead = file.find(shared.name);
    const arch::TensorEntry* ofEmbedding = file.find(table->name);
    const auto bytesOf = [&](const arch::TensorEntry* tensor) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(tensor->bytes));
        file.read(*tensor, 0, bytes);
        return bytes;
    };
    if (ofHead == nullptr || ofHead->dtype != ofEmbedding->dtype || bytesOf(ofHead) != bytesOf(ofEmbedding))
        throw unsupported(
            "'" + file.path().string() +
                "' has another table for the embedding than for the head, which share theirs in this model.",
            "Train it with PEFT's ensure_weight_tying, or untie the model.");
}

} // namespace

void writeAdapter(const fs::path& folder, std::span<const geometry::LayerLayout> layouts, const arch::LoraConfig& lora,
                  const AdapterSpans<const std::byte>& blocks, const AdapterOrigin& origin) {
    std::vector<Piece> pieces = piecesOf(layouts);
    if (const std::optional<Piece> shared = sharedTableOf(layouts, pieces)) pieces.push_back(*shared);
    arch::writeSafetensors(folder / kAdapterWeightsFile, tensorsOf(pieces, blocks, ""), {{"format", "pt"}});
    writeAdapterConfig(folder, layouts, lora, origin);
    copyTokenizerFiles(origin.modelFolder, origin.chatTemplate, folder);
    if (!origin.weightsFingerprint.empty())
        writeFileAtomically(folder / kBaseFile, baseJson(origin.weightsFingerprint));
}

void readAdapterWeights(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                        const AdapterSpans<std::byte>& blocks) {
    const auto file = arch::SafetensorsFile::open(folder / kAdapterWeightsFile);
    std::vector<Piece> pieces = piecesOf(layouts);
    readPieces(file, pieces, "", blocks);
    if (const std::optional<Piece> shared = sharedTableOf(layouts, pieces)) {
        requireSame(file, pieces, *shared);
        pieces.push_back(*shared);
    }
    std::set<std::string> known;
    for (const Piece& piece : pieces)
        known.insert(piece.name);
    for (const arch::TensorEntry& tensor : file.tensors())
        if (!known.contains(tensor.name))
            throw invalidInput("'" + file.path().string() + "' has a tensor '" + tensor.name +
                                   "' that belongs to no part of this model that is trained.",
                               "The adapter was made for another model, or 'lora.targets' or 'lora.modules_to_save' "
                               "leaves that part out.");
}

} // namespace roundpipe::artifact
