// SPDX-License-Identifier: GPL-3.0-or-later
// The slices of one lane, in the order of their starts: append-only chunks that a snapshot shares instead of copying.
#pragma once

#include "trace/record.h"
#include "trace/store/chunk_file.h"

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
// written to, so a snapshot costs a pointer per 1024 slices. Chunks that went to a file are read like others, with the
// disk's patience; who must not wait asks isAtHand() before.
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

    // No fewer than touching() has, by whole chunks: reads no slice.
    std::size_t roughlyTouching(int64_t beginNs, int64_t endNs) const;
    int64_t mostBytes() const { return m_mostBytes; } // of any slice: what a counter's lane rises to

    SliceList snapshot() const; // by the thread that owns the list

    // The start of the oldest chunk that lies in memory and may go to a file; the latest time where there is none.
    int64_t oldestInMemoryNs() const;
    void moveOldestTo(ChunkFile& file); // that chunk; throws kIo, kNoSpace
    std::size_t numChunksInMemory() const { return m_chunks.size() - m_numOnDisk; }
    std::size_t numChunksOnDisk() const { return m_numOnDisk; }
    // Whether what touches [beginNs, endNs) can be read without waiting for a disk. Where not, it is being fetched.
    bool isAtHand(int64_t beginNs, int64_t endNs) const;

    static constexpr std::size_t kChunkBytes = std::size_t{1024} * sizeof(Record);

private:
    static constexpr std::size_t kChunkSize = 1024;
    using Chunk = std::array<Record, kChunkSize>;
    struct ChunkRef {
        std::shared_ptr<Chunk> chunk;
        int64_t firstNs = 0;         // start of its first slice, known without reading it
        mutable bool shared = false; // a snapshot holds it too, or it lies in a file
        bool onDisk = false;
    };
    static constexpr std::size_t kChunksKept = 2; // of each lane's end, where records still arrive
    void put(std::size_t i, const Record& record);
    IndexRange chunksTouching(int64_t beginNs, int64_t endNs) const;

    std::vector<ChunkRef> m_chunks;
    std::size_t m_size = 0;
    std::size_t m_numOnDisk = 0;
    std::size_t m_oldestInMemory = 0; // chunks before it are on the disk, but for late insertions
    int64_t m_mostBytes = 0;
    int64_t m_longestNs = 0; // bounds how far before a time a slice that covers it can start
};

} // namespace roundpipe::trace
