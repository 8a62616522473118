// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a safetensors file, as adapters and checkpoints are kept.
#pragma once

#include "base/dtype.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::arch {

// The start of a file whose tensors follow it without gaps, in this order: the header's length and the header, padded
// to 8 bytes. For files whose data are made while they are written.
struct TensorToCome {
    std::string name;
    DType dtype = DType::kF32;
    std::vector<int64_t> shape;
};
std::string safetensorsStart(std::span<const TensorToCome> tensors,
                             const std::map<std::string, std::string>& metadata = {});

// What is written. `data` must stay alive until the call returns.
struct TensorToWrite {
    std::string name;
    DType dtype = DType::kF32;
    std::vector<int64_t> shape;
    std::span<const std::byte> data;
    // From the data, whole, to what stands in the file, of as many bytes; empty: as they lie.
    std::function<void(std::span<const std::byte> data, std::span<std::byte> file)> arrange = {};
};
// How bytes of a tensor's data are read that others may change meanwhile; empty: as they lie there. What it gives is
// used before it is called again.
using DataReader = std::function<std::span<const std::byte>(std::span<const std::byte>)>;
// Atomically; tensors in the given order. Throws kIo naming the file.
void writeSafetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                      const std::map<std::string, std::string>& metadata = {}, const DataReader& read = {});

} // namespace roundpipe::arch
