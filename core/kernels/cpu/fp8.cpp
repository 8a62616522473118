// SPDX-License-Identifier: GPL-3.0-or-later
// Operands of FP8 products (base/fp8.h), computed in fp32 with a rounding for each operation:
//     quantised   value = x * factor of its column; largest = max |value| of the row; code of value * (448 / largest);
//                 scale = largest / 448; of a row whose values are next to nothing both factors are 0
//     scaled      y * row's scale * column's scale + bias, rounded to T
#include "base/fp8.h"
#include "kernels/cpu/twins.h"

namespace roundpipe::kernels::RP_LEVEL {
namespace {

// values[i] = x[i] * the factor of its column, from column `first` on.
template <class T>
RP_INLINE void factored(const T* x, std::span<const ColumnFactors> factors, int64_t first, int64_t count,
                        float* values) {
    for (int64_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(widen(x[i]));
    int64_t begin = 0;
    for (const ColumnFactors& some : factors) {
        for (int64_t i = begin > first ? begin - first : 0; i < count && first + i < begin + some.cols; ++i)
            values[i] *= some.factors[first + i - begin];
        begin += some.cols;
    }
}

template <class T>
void quantiseRows(const Matrix& x, std::span<const ColumnFactors> factors, const Fp8Rows& out) {
    for (int64_t row = 0; row < x.rows; ++row) {
        const T* const from = rowOf<T>(x, row);
        float values[kChunk], largest = 0;
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            factored(from + first, factors, first, count, values);
            for (int64_t i = 0; i < count; ++i) {
                const float magnitude = std::abs(values[i]);
                largest = magnitude > largest ? magnitude : largest; // not what is no number
            }
        });
        const bool isThere = largest > kLeastForE4m3;
        const float inverse = isThere ? kLargestE4m3 / largest : 0;
        out.scales[row] = isThere ? largest / kLargestE4m3 : 0;
        forChunks(x.cols, [&](int64_t first, int64_t count) {
            factored(from + first, factors, first, count, values);
            uint8_t* const to = out.codes + row * x.cols + first;
            for (int64_t i = 0; i < count; ++i)
                to[i] = toE4m3(values[i] * inverse);
        });
    }
}

template <class T>
void scaleRowsAndColumns(const Matrix& y, const float* rowScales, const float* colScales, const T* bias) {
    using S = Statistic<T>;
    for (int64_t row = 0; row < y.rows; ++row) {
        const S scale = static_cast<S>(rowScales[row]);
        forChunks(y.cols, [&](int64_t first, int64_t count) {
            S values[kChunk];
            T* const at = rowOf<T>(y, row) + first;
            load(at, count, values);
            for (int64_t i = 0; i < count; ++i) {
                values[i] *= scale;
                if (colScales != nullptr) values[i] *= static_cast<S>(colScales[first + i]);
                if (bias != nullptr) values[i] += static_cast<S>(widen(bias[first + i]));
            }
            store(values, count, at);
        });
    }
}

} // namespace

void quantiseFp8(const Target&, const Matrix& x, std::span<const ColumnFactors> factors, const Fp8Rows& out) {
    visitFloating(x.dtype, [&]<class T>(T) { quantiseRows<T>(x, factors, out); });
}

void scaleFp8Product(const Target&, const Matrix& y, const float* rowScales, const float* colScales, const void* bias) {
    visitFloating(y.dtype,
                  [&]<class T>(T) { scaleRowsAndColumns(y, rowScales, colScales, static_cast<const T*>(bias)); });
}

void transposeCodes(const Target&, const uint8_t* codes, int64_t rows, int64_t cols, uint8_t* out) {
    constexpr int64_t kSide = 64;
    for (int64_t row = 0; row < rows; row += kSide)
        for (int64_t col = 0; col < cols; col += kSide)
            for (int64_t c = col; c < cols && c < col + kSide; ++c)
                for (int64_t r = row; r < rows && r < row + kSide; ++r)
                    out[c * rows + r] = codes[r * cols + c];
}

} // namespace roundpipe::kernels::RP_LEVEL
