#include "artifact/adapter.h"

#include "artifact/adapter_config.h"
#include "artifact/adapter_names.h"
#include "artifact/adapter_pieces.h"
#include "base/error.h"
#include "base/file.h"

#include <set>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

// What a tokenizer needs, as transformers' save_pretrained leaves it beside an adapter.
constexpr const char* kTokenizerFiles[] = {"tokenizer.json",
                                           "tokenizer_config.json",
                                           "special_tokens_map.json",
                                           "added_tokens.json",
                                           "vocab.json",
                                           "merges.txt",
                                           "tokenizer.model",
                                           "chat_template.jinja",
                                           "chat_template.json",
                                           "generation_config.json"};

void copyTokenizerFiles(const fs::path& folder, const AdapterOrigin& origin) {
    for (const char* name : kTokenizerFiles) {
        const fs::path source = origin.modelFolder / name;
        if (fs::exists(source)) writeFileAtomically(folder / name, readTextFile(source));
    }
    if (!origin.chatTemplate.empty())
        writeFileAtomically(folder / "chat_template.jinja", readTextFile(origin.chatTemplate));
}

} // namespace

void writeAdapter(const fs::path& folder, std::span<const geometry::LayerLayout> layouts, const arch::LoraConfig& lora,
                  const AdapterSpans<const std::byte>& blocks, const AdapterOrigin& origin) {
    arch::writeSafetensors(folder / kAdapterWeightsFile, tensorsOf(piecesOf(layouts), blocks, ""), {{"format", "pt"}});
    writeAdapterConfig(folder, layouts, lora, origin);
    copyTokenizerFiles(folder, origin);
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
