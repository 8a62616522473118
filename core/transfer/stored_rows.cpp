// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/stored_rows.h"

#include "base/error.h"
#include "base/mxfp4.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <memory>

namespace roundpipe::transfer {
namespace {

// to [cols, rows] = from [rows, cols] transposed, in tiles that stay near the processor.
template <class T>
void transpose(const T* from, int64_t rows, int64_t cols, T* to) {
    constexpr int64_t kTile = 32;
    for (int64_t r0 = 0; r0 < rows; r0 += kTile)
        for (int64_t c0 = 0; c0 < cols; c0 += kTile)
            for (int64_t c = c0; c < std::min(cols, c0 + kTile); ++c)
                for (int64_t r = r0; r < std::min(rows, r0 + kTile); ++r)
                    to[c * rows + r] = from[r * cols + c];
}

void transpose(const std::byte* from, DType dtype, int64_t rows, int64_t cols, std::byte* to) {
    const auto as = [&]<class T>(T) {
        transpose(reinterpret_cast<const T*>(from), rows, cols, reinterpret_cast<T*>(to));
    };
    switch (sizeOf(dtype)) {
    case 2:
        return as(uint16_t{});
    case 4:
        return as(uint32_t{});
    case 8:
        return as(uint64_t{});
    default:
        RP_CHECK(!"floating types have these sizes");
    }
}

template <class T>
std::span<std::byte> bytesAt(T* data, int64_t count) {
    return std::as_writable_bytes(std::span(data, static_cast<std::size_t>(count)));
}

} // namespace

StoredRows::StoredRows(const arch::Checkpoint& checkpoint, const arch::TensorSpec& tensor)
    : m_checkpoint(checkpoint), m_tensor(tensor), m_stored(arch::storedTensors(tensor)) {
    for (const arch::StoredTensor& stored : m_stored) {
        const DType dtype = checkpoint.require(stored).dtype;
        if (!stored.packed) m_dtype = dtype;
    }
}

int64_t StoredRows::rowBytes() const {
    return areMxfp4() ? cols() / 2 + cols() / kMxfp4Group : cols() * static_cast<int64_t>(sizeOf(m_dtype));
}

void StoredRows::read(int64_t firstRow, int64_t numRows, std::byte* into) const {
    if (areMxfp4()) return readUnpacked(firstRow, numRows, into);
    if (isStack()) return readTransposed(firstRow, numRows, into);
    m_checkpoint.read(m_stored.front().name, firstRow * rowBytes(), bytesAt(into, numRows * rowBytes()));
}

void StoredRows::readTransposed(int64_t firstRow, int64_t numRows, std::byte* into) const {
    const int64_t out = rowsTogether(), bytes = out * rowBytes();
    RP_CHECK(firstRow % out == 0 && numRows % out == 0);
    const auto raw = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
    for (int64_t expert = 0; expert < numRows / out; ++expert) {
        m_checkpoint.read(m_stored.front().name, (firstRow / out + expert) * bytes, bytesAt(raw.get(), bytes));
        transpose(raw.get(), m_dtype, cols(), out, into + expert * bytes);
    }
}

void StoredRows::readMxfp4(int64_t firstRow, int64_t numRows, uint8_t* codes, uint8_t* scales) const {
    const int64_t ofCodes = cols() / 2, ofScales = cols() / kMxfp4Group;
    m_checkpoint.read(m_stored[0].name, firstRow * ofCodes, bytesAt(codes, numRows * ofCodes));
    m_checkpoint.read(m_stored[1].name, firstRow * ofScales, bytesAt(scales, numRows * ofScales));
    constexpr uint8_t kNoNumber = 255;
    const auto* const other = std::find(scales, scales + numRows * ofScales, kNoNumber);
    if (other != scales + numRows * ofScales)
        throw invalidInput("The weights '" + m_stored[1].name + "' have a scale that is no number in row " +
                               std::to_string(firstRow + (other - scales) / ofScales + 1) + ".",
                           "Fetch the model anew.");
}

void StoredRows::readUnpacked(int64_t firstRow, int64_t numRows, std::byte* into) const {
    std::vector<uint8_t> codes(static_cast<std::size_t>(numRows * cols() / 2));
    std::vector<uint8_t> scales(static_cast<std::size_t>(numRows * cols() / kMxfp4Group));
    readMxfp4(firstRow, numRows, codes.data(), scales.data());
    kernels::unpackMxfp4({}, codes.data(), scales.data(), dense(into, m_dtype, numRows, cols()));
}

} // namespace roundpipe::transfer
