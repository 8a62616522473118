// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/model_folder.h"

#include "artifact/adapter_pieces.h"
#include "artifact/tokenizer_files.h"
#include "base/file.h"
#include "base/units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

void writeWeights(const fs::path& folder, const std::vector<Tensors>& files, const arch::DataReader& read) {
    if (files.size() == 1) {
        arch::writeSafetensors(folder / "model.safetensors", files.front(), {{"format", "pt"}}, read);
        return;
    }
    nlohmann::ordered_json index{{"metadata", {{"total_size", 0}}}, {"weight_map", nlohmann::ordered_json::object()}};
    std::size_t total = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string name = fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, files.size());
        arch::writeSafetensors(folder / name, files[i], {{"format", "pt"}}, read);
        for (const arch::TensorToWrite& tensor : files[i]) {
            index["weight_map"][tensor.name] = name;
            total += tensor.data.size();
        }
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
    return config.dump(2) + "\n";
}

} // namespace

void writeModel(const fs::path& folder, std::span<const geometry::LayerLayout> layouts,
                const AdapterSpans<const std::byte>& blocks, const AdapterOrigin& origin,
                const arch::DataReader& read) {
    writeWeights(folder, inFiles(tensorsOf(piecesOf(layouts), blocks, "")), read);
    writeFileAtomically(folder / "config.json", configOf(origin.modelFolder, blocks.dtype));
    copyTokenizerFiles(origin.modelFolder, origin.chatTemplate, folder);
}

} // namespace roundpipe::artifact
