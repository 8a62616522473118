// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/random_weights.h"

#include "model/init.h"
#include "transfer/packing_tensors.h"

#include <algorithm>
#include <vector>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kValuesAtOnce = int64_t{4} << 20;

} // namespace

void fillRandomly(const HostTensor& tensor, uint64_t seed) {
    if (!isPacked(tensor.place->packing)) return model::fillRandom(*tensor.place, seed, tensor.data);
    geometry::TensorPlace whole = *tensor.place;
    whole.dtype = DType::kF32;
    whole.pitchElements = tensor.cols;
    // Some rows at a time: a stack of experts has gigabytes in fp32, and each thread makes a tensor.
    const int64_t together = TensorPacker::rowsTogether(tensor);
    const int64_t most = std::max(kValuesAtOnce / (tensor.cols * together), int64_t{1}) * together;
    std::vector<float> values(static_cast<std::size_t>(std::min(most, tensor.rows) * tensor.cols));
    TensorPacker packer(tensor);
    for (int64_t first = 0; first < tensor.rows; first += most) {
        const int64_t count = std::min(most, tensor.rows - first);
        model::fillRandomRows(whole, seed, first, count, reinterpret_cast<std::byte*>(values.data()));
        packer.pack(first, dense(values.data(), DType::kF32, count, tensor.cols));
    }
}

} // namespace roundpipe::transfer
