// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_weights.h"

#include "arch/layers.h"
#include "arch/model_config.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <fstream>
#include <random>

namespace roundpipe::testing {
namespace {

// Each tensor once, though a tied head names the embedding's again.
std::vector<arch::TensorSpec> tensorsOf(const std::filesystem::path& folder) {
    std::vector<arch::TensorSpec> tensors;
    for (const arch::LayerSpec& layer : arch::makeModelSpec(arch::readModelConfig(folder)).layers)
        for (const arch::TensorSpec& tensor : layer.tensors)
            if (std::ranges::find(tensors, tensor.name, &arch::TensorSpec::name) == tensors.end())
                tensors.push_back(tensor);
    return tensors;
}

// What stands before the tensors, which take two bytes an element.
std::string headerOf(const std::vector<arch::TensorSpec>& tensors) {
    nlohmann::json header;
    int64_t end = 0;
    for (const arch::TensorSpec& tensor : tensors) {
        const int64_t begin = std::exchange(end, end + 2 * tensor.numElements());
        header[tensor.name] = {{"dtype", "BF16"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    }
    const std::string text = header.dump();
    const auto length = static_cast<uint64_t>(text.size());
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text; // little-endian, as we are
}

uint16_t bf16(float value) {
    return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
}

} // namespace

void writeHollowWeights(const std::filesystem::path& folder) {
    const std::vector<arch::TensorSpec> tensors = tensorsOf(folder);
    const std::string header = headerOf(tensors);
    int64_t bytes = 0;
    for (const arch::TensorSpec& tensor : tensors)
        bytes += 2 * tensor.numElements();
    const std::filesystem::path file = folder / "model.safetensors";
    std::ofstream(file, std::ios::binary) << header;
    std::filesystem::resize_file(file, header.size() + static_cast<std::uintmax_t>(bytes));
}

void writeRandomWeights(const std::filesystem::path& folder) {
    std::mt19937 random(1);
    std::normal_distribution<float> usual(0, 0.05F);
    const std::vector<arch::TensorSpec> tensors = tensorsOf(folder);
    std::ofstream out(folder / "model.safetensors", std::ios::binary);
    out << headerOf(tensors);
    for (const arch::TensorSpec& tensor : tensors) {
        std::vector<uint16_t> values(static_cast<std::size_t>(tensor.numElements()));
        const bool isNorm = tensor.name.find("norm") != std::string::npos;
        for (uint16_t& value : values)
            value = bf16(isNorm ? 1 : usual(random));
        out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(2 * values.size()));
    }
}

} // namespace roundpipe::testing
