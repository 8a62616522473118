// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chat/gguf_weights.h"

#include "artifact/gguf/gguf_model.h"
#include "base/thread_team.h"
#include "kernels/kernels.h"

#include <algorithm>

namespace roundpipe::engine {
namespace {

constexpr int64_t kPieceElements = 1 << 20;

void fill(transfer::HostWeightStore& store, const transfer::HostTensor& tensor, const artifact::GgufFile& file,
          const arch::ModelSpec& model) {
    const geometry::TensorPlace& place = *tensor.place;
    const int64_t perPiece = std::max<int64_t>(1, kPieceElements / tensor.cols);
    std::vector<float> values;
    for (int64_t first = 0; first < tensor.rows; first += perPiece) {
        const int64_t count = std::min(perPiece, tensor.rows - first);
        values.resize(static_cast<std::size_t>(count * tensor.cols));
        artifact::readFromGguf(file, model.config, model.layers[tensor.layer.index()], place.spec, first, count,
                               values);
        std::byte* to = tensor.data + first * place.pitchElements * static_cast<int64_t>(sizeOf(place.dtype));
        kernels::convert({}, dense(values.data(), DType::kF32, count, tensor.cols), 1.0,
                         {to, place.dtype, count, tensor.cols, place.pitchElements});
        store.filled(tensor, count);
    }
}

} // namespace

arch::ModelSpec specOfGguf(const std::filesystem::path& file, const std::filesystem::path& folder) {
    arch::ModelConfig config = arch::readModelConfig(folder);
    config.tiedEmbeddings = artifact::GgufFile::open(file).find("output.weight") == nullptr;
    return arch::makeModelSpec(config);
}

void fillFromGguf(transfer::HostWeightStore& store, const std::filesystem::path& path, const arch::ModelSpec& model) {
    const auto file = artifact::GgufFile::open(path);
    forEachIndex(std::ssize(store.tensors()), 0,
                 [&](int64_t i) { fill(store, store.tensors()[static_cast<std::size_t>(i)], file, model); });
    store.adapters().publishAll();
}

} // namespace roundpipe::engine
