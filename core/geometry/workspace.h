// SPDX-License-Identifier: GPL-3.0-or-later
// Memory handed out from the front. Without memory it only counts, so that what a piece of code takes is counted by the
// code that takes it.
#pragma once

#include "base/matrix.h"

#include <cstddef>
#include <cstdint>

namespace roundpipe::geometry {

inline constexpr int64_t kAlignmentBytes =
    256; // of every tensor and buffer: cuBLAS's fastest products, whole cache lines
constexpr int64_t alignUp(int64_t bytes) {
    return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

// Bytes of `count` elements.
inline int64_t bytesOf(DType dtype, int64_t count) {
    return count * static_cast<int64_t>(sizeOf(dtype));
}

// One thread at a time. Pieces are the caller's until reset().
class Workspace {
public:
    Workspace() = default; // counts: pieces are null
    Workspace(std::byte* data, int64_t bytes) : m_data(data), m_bytes(bytes) {}

    std::byte* take(int64_t bytes); // aligned; throws kInternal when exhausted
    Matrix takeMatrix(DType dtype, int64_t rows, int64_t cols) {
        return dense(take(bytesOf(dtype, rows * cols)), dtype, rows, cols);
    }
    template <class T>
    T* takeArray(int64_t count) {
        return reinterpret_cast<T*>(take(count * static_cast<int64_t>(sizeof(T))));
    }
    void reset(int64_t usedBytes = 0) { m_used = usedBytes; } // gives back what was taken after `usedBytes`
    int64_t usedBytes() const { return m_used; }

private:
    std::byte* m_data = nullptr;
    int64_t m_bytes = 0;
    int64_t m_used = 0;
};

// What the buffers of `shape` take for a number of tokens.
template <class BufferStruct, class Shape>
int64_t counted(const Shape& shape, int64_t numTokens) {
    Workspace counting;
    BufferStruct(shape, counting, numTokens);
    return counting.usedBytes();
}

// Buffers of one size.
class Buffers {
public:
    Buffers() = default;
    Buffers(Workspace& memory, int64_t count, int64_t bytesEach);

    std::byte* operator[](std::size_t index) const; // throws kInternal for one that is not there
    std::size_t size() const { return static_cast<std::size_t>(m_count); }
    int64_t bytesEach() const { return m_bytesEach; }                // as asked for
    int64_t bytes() const { return m_count * alignUp(m_bytesEach); } // as taken

private:
    std::byte* m_first = nullptr;
    int64_t m_count = 0;
    int64_t m_bytesEach = 0;
};

} // namespace roundpipe::geometry
