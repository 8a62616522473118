#include "trace/slice_list.h"

#include <algorithm>

namespace roundpipe::trace {
namespace {

bool precedes(const Record& a, const Record& b) {
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.endNs > b.endNs;
}

} // namespace

Record& SliceList::writable(std::size_t i) {
    ChunkRef& ref = m_chunks[i / kChunkSize];
    if (ref.shared) {
        ref.chunk = std::make_shared<Chunk>(*ref.chunk);
        ref.shared = false;
    }
    return (*ref.chunk)[i % kChunkSize];
}

void SliceList::insert(const Record& record) {
    if (m_size == m_chunks.size() * kChunkSize) m_chunks.push_back({std::make_shared<Chunk>(), false});
    std::size_t i = m_size++;
    for (; i > 0 && precedes(record, (*this)[i - 1]); --i)
        writable(i) = (*this)[i - 1];
    writable(i) = record;
    m_longestNs = std::max(m_longestNs, record.endNs - record.startNs);
}

std::size_t SliceList::firstStartingFrom(int64_t timeNs) const {
    std::size_t low = 0;
    std::size_t high = m_size;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if ((*this)[middle].startNs < timeNs)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

IndexRange SliceList::touching(int64_t beginNs, int64_t endNs) const {
    IndexRange range{firstStartingFrom(beginNs - m_longestNs), firstStartingFrom(endNs)};
    while (range.begin < range.end && (*this)[range.begin].startNs < beginNs && (*this)[range.begin].endNs <= beginNs)
        ++range.begin;
    return range;
}

SliceList SliceList::snapshot() {
    for (ChunkRef& ref : m_chunks)
        ref.shared = true;
    return *this;
}

} // namespace roundpipe::trace
