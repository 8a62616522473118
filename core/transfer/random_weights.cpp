// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/random_weights.h"

#include "model/init.h"
#include "transfer/packing_tensors.h"

#include <vector>

namespace roundpipe::transfer {

void fillRandomly(const HostTensor& tensor, uint64_t seed) {
    if (!isPacked(tensor.place->packing)) return model::fillRandom(*tensor.place, seed, tensor.data);
    geometry::TensorPlace whole = *tensor.place;
    whole.dtype = DType::kF32;
    whole.pitchElements = tensor.cols;
    std::vector<float> values(static_cast<std::size_t>(tensor.rows * tensor.cols));
    model::fillRandom(whole, seed, reinterpret_cast<std::byte*>(values.data()));
    TensorPacker(tensor).pack(0, dense(values.data(), DType::kF32, tensor.rows, tensor.cols));
}

} // namespace roundpipe::transfer
