// The slices of one lane, in the order of their starts: append-only chunks that a snapshot shares instead of copying.
#pragma once

#include "trace/record.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace roundpipe::trace {

struct IndexRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
};

// One thread owns and changes a list. A snapshot never changes and may be read by any thread.
//
// Chunks keep an insertion from ever moving the whole lane. A chunk that a snapshot holds is cloned before it is
// written to, so a snapshot costs a pointer per 1024 slices.
class SliceList {
public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const Record& operator[](std::size_t i) const { return (*m_chunks[i / kChunkSize].chunk)[i % kChunkSize]; }

    // Sorts by start, the longer first among equals (so that a parent precedes what it contains). Records come nearly
    // sorted; the cost is the number of slices that started later.
    void insert(const Record& record);

    std::size_t firstStartingFrom(int64_t timeNs) const; // index of the first slice that starts at `timeNs` or later
    // Every slice that touches [beginNs, endNs) lies in the range; where slices overlap, some in it may not touch.
    IndexRange touching(int64_t beginNs, int64_t endNs) const;

    SliceList snapshot();

private:
    static constexpr std::size_t kChunkSize = 1024;
    using Chunk = std::array<Record, kChunkSize>;
    struct ChunkRef {
        std::shared_ptr<Chunk> chunk;
        bool shared = false; // a snapshot holds it too
    };
    Record& writable(std::size_t i);

    std::vector<ChunkRef> m_chunks;
    std::size_t m_size = 0;
    int64_t m_longestNs = 0; // bounds how far before a time a slice that covers it can start
};

} // namespace roundpipe::trace
