// SPDX-License-Identifier: GPL-3.0-or-later
// A view of a matrix in somebody's memory, on the host or on a device.
#pragma once

#include "base/dtype.h"

#include <cstddef>
#include <cstdint>

namespace roundpipe {

// Row-major; row r starts at data + r * pitch elements. Owns nothing.
struct Matrix {
    void* data = nullptr;
    DType dtype = DType::kF32;
    int64_t rows = 0;
    int64_t cols = 0;
    int64_t pitch = 0; // elements, at least cols
};

// One without gaps at `data`.
inline Matrix dense(const void* data, DType dtype, int64_t rows, int64_t cols) {
    return {const_cast<void*>(data), dtype, rows, cols, cols};
}

// Rows [first, first + count) of a matrix.
inline Matrix rowsOf(const Matrix& matrix, int64_t first, int64_t count) {
    const int64_t offset = first * matrix.pitch * static_cast<int64_t>(sizeOf(matrix.dtype));
    return {static_cast<std::byte*>(matrix.data) + offset, matrix.dtype, count, matrix.cols, matrix.pitch};
}

// Columns [first, first + count) of a matrix.
inline Matrix columnsOf(const Matrix& matrix, int64_t first, int64_t count) {
    const int64_t offset = first * static_cast<int64_t>(sizeOf(matrix.dtype));
    return {static_cast<std::byte*>(matrix.data) + offset, matrix.dtype, matrix.rows, count, matrix.pitch};
}

} // namespace roundpipe
