// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/store/slice_list.h"

#include <algorithm>
#include <limits>
#include <span>

namespace roundpipe::trace {
namespace {

bool precedes(const Record& a, const Record& b) {
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.endNs > b.endNs;
}

} // namespace

void SliceList::put(std::size_t i, const Record& record) {
    const Record kept = record; // it may lie in the chunk that is given up here
    ChunkRef& ref = m_chunks[i / kChunkSize];
    if (ref.shared) {
        ref.chunk = std::make_shared<Chunk>(*ref.chunk);
        ref.shared = false;
        m_numOnDisk -= ref.onDisk ? 1 : 0;
        ref.onDisk = false;
    }
    (*ref.chunk)[i % kChunkSize] = kept;
    if (i % kChunkSize == 0) ref.firstNs = kept.startNs;
}

void SliceList::insert(const Record& record) {
    if (m_size == m_chunks.size() * kChunkSize)
        m_chunks.push_back({std::make_shared<Chunk>(), record.startNs, false, false});
    std::size_t i = m_size++;
    for (; i > 0 && precedes(record, (*this)[i - 1]); --i)
        put(i, (*this)[i - 1]);
    put(i, record);
    m_longestNs = std::max(m_longestNs, record.endNs - record.startNs);
    m_mostBytes = std::max(m_mostBytes, record.bytes);
}

// By the chunks' first slices, then within one chunk: what lies on a disk is hardly touched.
std::size_t SliceList::firstStartingFrom(int64_t timeNs) const {
    const auto chunk = std::ranges::lower_bound(m_chunks, timeNs, {}, &ChunkRef::firstNs);
    if (chunk == m_chunks.begin()) return 0;
    std::size_t low = static_cast<std::size_t>(chunk - m_chunks.begin() - 1) * kChunkSize;
    std::size_t high = std::min(m_size, low + kChunkSize);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if ((*this)[middle].startNs < timeNs)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

IndexRange SliceList::chunksTouching(int64_t beginNs, int64_t endNs) const {
    const auto first = std::ranges::lower_bound(m_chunks, beginNs - m_longestNs, {}, &ChunkRef::firstNs);
    const auto last = std::ranges::lower_bound(m_chunks, endNs, {}, &ChunkRef::firstNs);
    const auto begin = static_cast<std::size_t>(first - m_chunks.begin());
    return {begin > 0 ? begin - 1 : 0, static_cast<std::size_t>(last - m_chunks.begin())};
}

std::size_t SliceList::roughlyTouching(int64_t beginNs, int64_t endNs) const {
    return std::min(m_size, chunksTouching(beginNs, endNs).size() * kChunkSize);
}

int64_t SliceList::oldestInMemoryNs() const {
    return m_oldestInMemory + kChunksKept < m_chunks.size() ? m_chunks[m_oldestInMemory].firstNs
                                                            : std::numeric_limits<int64_t>::max();
}

void SliceList::moveOldestTo(ChunkFile& file) {
    ChunkRef& ref = m_chunks[m_oldestInMemory];
    const std::shared_ptr<const std::byte> place = file.append(std::as_bytes(std::span(*ref.chunk)));
    // Never written to: it counts as shared.
    ref.chunk = {place, reinterpret_cast<Chunk*>(const_cast<std::byte*>(place.get()))};
    ref.shared = ref.onDisk = true;
    ++m_numOnDisk;
    while (m_oldestInMemory < m_chunks.size() && m_chunks[m_oldestInMemory].onDisk)
        ++m_oldestInMemory;
}

bool SliceList::isAtHand(int64_t beginNs, int64_t endNs) const {
    if (m_numOnDisk == 0) return true;
    bool all = true;
    const IndexRange range = chunksTouching(beginNs, endNs);
    for (std::size_t c = range.begin; c < range.end; ++c)
        if (m_chunks[c].onDisk && !fetched(std::as_bytes(std::span(*m_chunks[c].chunk)))) all = false;
    return all;
}

IndexRange SliceList::touching(int64_t beginNs, int64_t endNs) const {
    IndexRange range{firstStartingFrom(beginNs - m_longestNs), firstStartingFrom(endNs)};
    while (range.begin < range.end && (*this)[range.begin].startNs < beginNs && (*this)[range.begin].endNs <= beginNs)
        ++range.begin;
    return range;
}

SliceList SliceList::snapshot() const {
    for (const ChunkRef& ref : m_chunks)
        ref.shared = true;
    return *this;
}

} // namespace roundpipe::trace
