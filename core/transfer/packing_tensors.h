// SPDX-License-Identifier: GPL-3.0-or-later
// Packed tensors of the host store are packed while their rows come: piece by piece, by several threads.
#pragma once

#include "base/matrix.h"
#include "transfer/host_weight_store.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace roundpipe::transfer {

// Of one tensor, whose place is packed.
class TensorPacker {
public:
    explicit TensorPacker(const HostTensor& tensor) : m_tensor(tensor), m_rowsLeft(tensor.rows) {}

    // Each piece begins at a multiple of so many rows: where a block of values begins.
    static int64_t rowsTogether(const HostTensor& tensor);
    // `values`: dense rows of fp32, which become those from `firstRow` on. Each row once, by any thread; what all rows
    // decide is done by whoever brings the last. Throws kInvalidInput naming tensor and row of a value that is not
    // finite, or is not in the operand type.
    void pack(int64_t firstRow, const Matrix& values);

private:
    void packRows(int64_t firstRow, const Matrix& values) const; // each with its scale
    void requireFinite(int64_t firstRow, const Matrix& values) const;
    std::vector<float>& magnitudes();
    void finish();

    const HostTensor& m_tensor;
    std::mutex m_mutex; // guards what follows, magnitudes of other rows excepted
    int64_t m_rowsLeft;
    std::vector<float> m_magnitudes; // of blocks, until all are there
};

} // namespace roundpipe::transfer
