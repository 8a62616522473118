// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/safetensors_write.h"

#include "base/error.h"
#include "base/file.h"

#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::arch {
namespace {

using OrderedJson = nlohmann::ordered_json; // readers see the tensors in the given order

std::string headerOf(std::span<const TensorToWrite> tensors, const std::map<std::string, std::string>& metadata) {
    OrderedJson header = OrderedJson::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::set<std::string_view> names;
    int64_t position = 0;
    for (const TensorToWrite& tensor : tensors) {
        const int64_t bytes = static_cast<int64_t>(tensor.data.size());
        int64_t needed = static_cast<int64_t>(sizeOf(tensor.dtype));
        for (const int64_t size : tensor.shape)
            needed *= size;
        RP_CHECK(needed == bytes && names.insert(tensor.name).second && tensor.name != "__metadata__");
        header[tensor.name] = {
            {"dtype", toString(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {position, position + bytes}}};
        position += bytes;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
}

} // namespace

void writeSafetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                      const std::map<std::string, std::string>& metadata) {
    const std::string header = headerOf(tensors, metadata);
    std::array<std::byte, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<std::byte>(header.size() >> (8 * i));
    writeFileAtomically(path, [&](const auto& put) {
        put(length);
        put(std::as_bytes(std::span(header)));
        for (const TensorToWrite& tensor : tensors)
            put(tensor.data);
    });
}

} // namespace roundpipe::arch
