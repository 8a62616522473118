// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/model_folder.h"

#include "artifact/adapter_pieces.h"
#include "artifact/tokenizer_files.h"
#include "artifact/untrained_part.h"
#include "base/file.h"
#include "base/units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace roundpipe::artifact {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kFileBytes = 5 * kGiB; // of weights, about; transformers cuts there, too

using Tensors = std::vector<arch::TensorToWrite>;

std::vector<Tensors> inFiles(Tensors tensors) {
    std::vector<Tensors> files(1);
    int64_t bytes = 0;
    for (arch::TensorToWrite& tensor : tensors) {
        const auto size = static_cast<int64_t>(tensor.data.size());
        if (bytes > 0 && bytes + size > kFileBytes) {
            files.emplace_back();
            bytes = 0;
        }
        bytes += size;
        files.back().push_back(std::move(tensor));
    }
    return files;
}

void writeWeights(const fs::path& folder, const std::vector<Tensors>& files, const UntrainedPart* untrained,
                  const arch::DataReader& read) {
    const std::size_t numFiles = files.size() + (untrained != nullptr ? 1 : 0);
    if (numFiles == 1) {
        arch::writeSafetensors(folder / "model.safetensors", files.front(), {{"format", "pt"}}, read);
        return;
    }
    nlohmann::ordered_json index{{"metadata", {{"total_size", 0}}}, {"weight_map", nlohmann::ordered_json::object()}};
    std::size_t total = 0;
    const auto nameOf = [&](std::size_t i) { return fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, numFiles); };
    const auto add = [&](const std::string& tensor, std::size_t bytes, std::size_t i) {
        index["weight_map"][tensor] = nameOf(i);
        total += bytes;
    };
    for (std::size_t i = 0; i < files.size(); ++i) {
        arch::writeSafetensors(folder / nameOf(i), files[i], {{"format", "pt"}}, read);
        for (const arch::TensorToWrite& tensor : files[i])
            add(tensor.name, tensor.data.size(), i);
    }
    if (untrained != nullptr) {
        untrained->write(folder / nameOf(files.size()));
        for (const auto& [file, entry] : untrained->tensors())
            add(entry->name, static_cast<std::size_t>(entry->bytes), files.size());
    }
    index["metadata"]["total_size"] = total;
    writeFileAtomically(folder / "model.safetensors.index.json", index.dump(2) + "\n");
}

// As the model has it, but for the type of the weights.
std::string configOf(const fs::path& modelFolder, DType dtype) {
    nlohmann::ordered_json config = nlohmann::ordered_json::parse(readTextFile(modelFolder / "config.json"));
    const char* const name = dtype == DType::kBF16  ? "bfloat16"
                             : dtype == DType::kF16 ? "float16"
                             : dtype == DType::kF64 ? "float64"
                                                    : "float32";
    config[config.contains("dtype") ? "dtype" : "torch_dtype"] = name; // the newer key, or the older one
    if (config.contains("text_config"))
        for (const char* key : {"dtype", "torch_dtype"})
            if (config["text_config"].contains(key)) config["text_config"][key] = name;
    return config.dump(2) + "\n";
}

} // namespace

void writeModel(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                const AdapterSpans<const std::byte>& blocks, const AdapterOrigin& origin,
                const arch::DataReader& read) {
    Tensors trained = tensorsOf(piecesOf(layouts), blocks, "");
    const std::optional<UntrainedPart> untrained = UntrainedPart::of(origin.modelFolder, layouts);
    if (untrained)
        for (arch::TensorToWrite& tensor : trained)
            tensor.name = untrained->storedAs(tensor.name, tensor.shape);
    writeWeights(folder, inFiles(std::move(trained)), untrained ? &*untrained : nullptr, read);
    writeFileAtomically(folder / "config.json", configOf(origin.modelFolder, blocks.dtype));
    copyTokenizerFiles(origin.modelFolder, origin.chatTemplate, folder);
}

} // namespace roundpipe::artifact
