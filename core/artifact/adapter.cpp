// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/adapter.h"

#include "artifact/adapter_config.h"
#include "artifact/adapter_names.h"
#include "artifact/adapter_pieces.h"
#include "artifact/tokenizer_files.h"
#include "base/error.h"
#include "base/file.h"

#include <set>

namespace roundpipe::artifact {

namespace fs = std::filesystem;

void writeAdapter(const fs::path& folder, std::span<const geometry::LayerLayout> layouts, const arch::LoraConfig& lora,
                  const AdapterSpans<const std::byte>& blocks, const AdapterOrigin& origin) {
    arch::writeSafetensors(folder / kAdapterWeightsFile, tensorsOf(piecesOf(layouts), blocks, ""), {{"format", "pt"}});
    writeAdapterConfig(folder, layouts, lora, origin);
    copyTokenizerFiles(origin.modelFolder, origin.chatTemplate, folder);
}

void readAdapterWeights(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                        const AdapterSpans<std::byte>& blocks) {
    const auto file = arch::SafetensorsFile::open(folder / kAdapterWeightsFile);
    const std::vector<Piece> pieces = piecesOf(layouts);
    readPieces(file, pieces, "", blocks);
    std::set<std::string> known;
    for (const Piece& piece : pieces)
        known.insert(piece.name);
    for (const arch::TensorEntry& tensor : file.tensors())
        if (!known.contains(tensor.name))
            throw invalidInput("'" + file.path().string() + "' has a tensor '" + tensor.name +
                                   "' that belongs to no adapted linear layer of this model.",
                               "The adapter was made for another model, or 'lora.targets' leaves that layer out.");
}

} // namespace roundpipe::artifact
