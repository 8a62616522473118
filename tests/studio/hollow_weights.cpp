#include "hollow_weights.h"

#include "arch/layers.h"
#include "arch/model_config.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace roundpipe::testing {

void writeHollowWeights(const std::filesystem::path& folder) {
    nlohmann::json header;
    int64_t end = 0;
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(folder));
    for (const arch::LayerSpec& layer : model.layers)
        for (const arch::TensorSpec& tensor : layer.tensors) {
            if (header.contains(tensor.name)) continue; // a tied head
            const int64_t begin = std::exchange(end, end + 2 * tensor.numElements());
            header[tensor.name] = {{"dtype", "BF16"}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
        }
    const std::string text = header.dump();
    const auto length = static_cast<uint64_t>(text.size()); // little-endian, as the machines that we run on
    const std::filesystem::path file = folder / "model.safetensors";
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << text;
    out.close();
    std::filesystem::resize_file(file, sizeof length + text.size() + static_cast<std::uintmax_t>(end));
}

} // namespace roundpipe::testing
