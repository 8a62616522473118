// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor_files.h"

#include "arch/safetensors_write.h"

#include <array>
#include <fstream>

namespace roundpipe::arch {

std::string safetensorsBytes(const std::string& header, std::size_t dataBytes) {
    std::string bytes;
    for (int i = 0; i < 8; ++i)
        bytes += static_cast<char>(header.size() >> (8 * i));
    bytes += header;
    for (std::size_t i = 0; i < dataBytes; ++i)
        bytes += static_cast<char>(i % 251);
    return bytes;
}

void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

void writeTensors(const std::filesystem::path& path, const std::vector<std::string>& names) {
    const std::array<float, 6> values{1, 2, 3, 4, 5, 6};
    std::vector<TensorToWrite> tensors;
    for (const std::string& name : names)
        tensors.push_back({name, DType::kF32, {2, 3}, std::as_bytes(std::span(values))});
    writeSafetensors(path, tensors);
}

} // namespace roundpipe::arch
