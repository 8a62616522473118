// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/safetensors_write.h"

#include "base/error.h"
#include "base/file.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::arch {
namespace {

using OrderedJson = nlohmann::ordered_json; // readers see the tensors in the given order

int64_t bytesOf(const TensorToCome& tensor) {
    auto bytes = static_cast<int64_t>(sizeOf(tensor.dtype));
    for (const int64_t size : tensor.shape)
        bytes *= size;
    return bytes;
}

// Of a size that a reader keeps a copy of.
template <class Use>
void forEachPiece(std::span<const std::byte> data, const Use& use) {
    constexpr std::size_t kPieceBytes = 16 << 20;
    for (std::size_t begin = 0; begin < data.size(); begin += kPieceBytes)
        use(data.subspan(begin, std::min(kPieceBytes, data.size() - begin)));
}

std::vector<std::byte> arranged(const TensorToWrite& tensor, const DataReader& read) {
    std::vector<std::byte> data;
    data.reserve(tensor.data.size());
    forEachPiece(tensor.data, [&](std::span<const std::byte> piece) {
        const std::span<const std::byte> now = read ? read(piece) : piece;
        data.insert(data.end(), now.begin(), now.end());
    });
    std::vector<std::byte> file(data.size());
    tensor.arrange(data, file);
    return file;
}

} // namespace

std::string safetensorsStart(std::span<const TensorToCome> tensors,
                             const std::map<std::string, std::string>& metadata) {
    OrderedJson header = OrderedJson::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::set<std::string_view> names;
    int64_t position = 0;
    for (const TensorToCome& tensor : tensors) {
        RP_CHECK(names.insert(tensor.name).second && tensor.name != "__metadata__");
        const int64_t bytes = bytesOf(tensor);
        header[tensor.name] = {
            {"dtype", toString(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {position, position + bytes}}};
        position += bytes;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string start(8, '\0');
    for (std::size_t i = 0; i < start.size(); ++i)
        start[i] = static_cast<char>(text.size() >> (8 * i));
    return start + text;
}

void writeSafetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                      const std::map<std::string, std::string>& metadata, const DataReader& read) {
    std::vector<TensorToCome> toCome;
    for (const TensorToWrite& tensor : tensors) {
        toCome.push_back({tensor.name, tensor.dtype, tensor.shape});
        RP_CHECK(bytesOf(toCome.back()) == static_cast<int64_t>(tensor.data.size()));
    }
    const std::string start = safetensorsStart(toCome, metadata);
    writeFileAtomically(path, [&](const auto& put) {
        put(std::as_bytes(std::span(start)));
        for (const TensorToWrite& tensor : tensors)
            if (tensor.arrange)
                put(std::span<const std::byte>(arranged(tensor, read)));
            else
                forEachPiece(tensor.data, [&](std::span<const std::byte> piece) { put(read ? read(piece) : piece); });
    });
}

} // namespace roundpipe::arch
