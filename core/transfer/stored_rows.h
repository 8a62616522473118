// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a tensor as it is computed with, of what a checkpoint holds of it (arch::storedTensors): itself, a stack of
// experts that are transposed there, or one in mxfp4. Internal to the folder.
#pragma once

#include "arch/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::transfer {

class StoredRows {
public:
    // Throws kInvalidInput naming what is missing, of another shape or of another type. Both must outlive it.
    StoredRows(const arch::Checkpoint& checkpoint, const arch::TensorSpec& tensor);

    // Of what read() gives: as it is stored, or bf16 of mxfp4, whose values bf16 all has.
    DType dtype() const { return m_dtype; }
    bool areMxfp4() const { return m_tensor.mxfp4; }
    // What is read at a time begins at a multiple of so many rows, and ends there or with the tensor.
    int64_t rowsTogether() const { return isStack() && !areMxfp4() ? m_tensor.shape[1] : 1; }
    int64_t rowBytes() const; // in the files

    // Dense rows. Any thread. Throws kInvalidInput for a scale of mxfp4 that is no number.
    void read(int64_t firstRow, int64_t numRows, std::byte* into) const;
    // Only of mxfp4: codes and scales as base/mxfp4.h has them, which are those of the files.
    void readMxfp4(int64_t firstRow, int64_t numRows, uint8_t* codes, uint8_t* scales) const;

private:
    bool isStack() const { return m_tensor.kind == arch::TensorKind::kExpertStack; }
    int64_t cols() const { return m_tensor.shape.back(); }
    void readTransposed(int64_t firstRow, int64_t numRows, std::byte* into) const;
    void readUnpacked(int64_t firstRow, int64_t numRows, std::byte* into) const;

    const arch::Checkpoint& m_checkpoint;
    const arch::TensorSpec& m_tensor;
    std::vector<arch::StoredTensor> m_stored;
    DType m_dtype = DType::kBF16;
};

} // namespace roundpipe::transfer
