// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/packing_tensors.h"

#include "base/error.h"
#include "base/mxfp4.h"
#include "base/nf4.h"
#include "geometry/packed_parts.h"
#include "kernels/packing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace roundpipe::transfer {
namespace {

geometry::PackedParts partsOf(const HostTensor& tensor) {
    return {tensor.place->packing, tensor.rows, tensor.cols};
}

template <class T>
T* at(const HostTensor& tensor, int64_t bytes, int64_t index = 0) {
    return reinterpret_cast<T*>(tensor.data + bytes) + index;
}

} // namespace

int64_t TensorPacker::rowsTogether(const HostTensor& tensor) {
    const WeightFormat format = tensor.place->packing;
    const int64_t block = format == WeightFormat::kNf4 ? kNf4Block : format == WeightFormat::kMxfp4 ? kMxfp4Group : 1;
    return block / std::gcd(block, tensor.cols);
}

void TensorPacker::pack(int64_t firstRow, const Matrix& values) {
    RP_CHECK(values.dtype == DType::kF32 && values.cols == m_tensor.cols && values.pitch == values.cols);
    requireFinite(firstRow, values);
    const auto* const from = static_cast<const float*>(values.data);
    const int64_t first = firstRow * values.cols;
    if (m_tensor.place->packing == WeightFormat::kNf4) {
        RP_CHECK(first % kNf4Block == 0);
        kernels::packNf4Values(from, values.rows * values.cols, at<uint8_t>(m_tensor, first / 2),
                               magnitudes().data() + first / kNf4Block);
    } else if (m_tensor.place->packing == WeightFormat::kMxfp4) {
        RP_CHECK(first % kMxfp4Group == 0);
        kernels::packMxfp4Values(from, values.rows * values.cols, at<uint8_t>(m_tensor, first / 2),
                                 at<uint8_t>(m_tensor, partsOf(m_tensor).scales, first / kMxfp4Group));
    } else {
        packRows(firstRow, values);
    }
    const std::scoped_lock lock(m_mutex);
    m_rowsLeft -= values.rows;
    RP_CHECK(m_rowsLeft >= 0);
    if (m_rowsLeft == 0) finish();
}

void TensorPacker::packRows(int64_t firstRow, const Matrix& values) const {
    const bool isFp8 = m_tensor.place->packing == WeightFormat::kFp8;
    RP_CHECK(isFp8 || m_tensor.place->packing == WeightFormat::kInt8);
    float* const scales = at<float>(m_tensor, partsOf(m_tensor).scales, firstRow);
    for (int64_t row = 0; row < values.rows; ++row) {
        const float* const from = static_cast<const float*>(values.data) + row * values.cols;
        const int64_t first = (firstRow + row) * values.cols;
        if (isFp8)
            kernels::packFp8Row(from, values.cols, at<uint8_t>(m_tensor, first), scales + row);
        else
            kernels::packInt8Row(from, values.cols, at<int8_t>(m_tensor, first), scales + row);
    }
}

// Of the values themselves: what is packed would hide that there is no number.
void TensorPacker::requireFinite(int64_t firstRow, const Matrix& values) const {
    constexpr float kLargestF16 = 65504;
    const bool isF16 = m_tensor.place->dtype == DType::kF16;
    const float largest = isF16 ? kLargestF16 : std::numeric_limits<float>::max();
    const auto* const from = static_cast<const float*>(values.data);
    const auto* const end = from + values.rows * values.cols;
    const auto* const other = std::find_if(from, end, [largest](float value) { return !(std::abs(value) <= largest); });
    if (other == end) return;
    const int64_t row = firstRow + (other - from) / values.cols + 1;
    if (isF16 && std::isfinite(*other))
        throw invalidInput("The weights '" + m_tensor.place->spec.name + "' have values beyond 65,504 in row " +
                               std::to_string(row) + ", where fp16 ends.",
                           "Use the model in bf16 (precision bf16) or fp32.");
    throw invalidInput("The weights '" + m_tensor.place->spec.name + "' have a value that is no finite number in row " +
                           std::to_string(row) + ".",
                       "Fetch the model anew; such weights can't be packed.");
}

std::vector<float>& TensorPacker::magnitudes() {
    const std::scoped_lock lock(m_mutex);
    m_magnitudes.resize(static_cast<std::size_t>(numNf4Blocks(m_tensor.rows * m_tensor.cols)));
    return m_magnitudes;
}

void TensorPacker::finish() {
    if (m_tensor.place->packing != WeightFormat::kNf4) return;
    const geometry::PackedParts parts = partsOf(m_tensor);
    kernels::packNf4Magnitudes(m_magnitudes.data(), std::ssize(m_magnitudes), at<uint8_t>(m_tensor, parts.magnitudes),
                               at<float>(m_tensor, parts.scales), at<float>(m_tensor, parts.mean));
    std::vector<float>().swap(m_magnitudes);
}

} // namespace roundpipe::transfer
