// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/store/pyramid.h"

#include <algorithm>
#include <bit>

namespace roundpipe::trace {

void Summary::add(const Record& record, double coveredNs) {
    const int64_t durationNs = record.endNs - record.startNs;
    if (isWork(record.kind)) {
        busyNs += coveredNs;
        if (durationNs > longestNs) {
            longestNs = durationNs;
            kind = record.kind;
        }
    } else if (longestNs < 0) {
        kind = record.kind;
    }
    used = true;
}

void Summary::merge(const Summary& other, double share) {
    if (!other.used) return;
    busyNs += other.busyNs * share;
    if (other.longestNs > longestNs || !used) {
        longestNs = other.longestNs;
        kind = other.kind;
    }
    used = true;
}

void InUse::add(const Record& record, double) {
    mostBytes = std::max(mostBytes, record.bytes);
    if (record.startNs < lastNs) return;
    lastNs = record.startNs;
    lastBytes = record.bytes;
}

void InUse::merge(const InUse& other, double) {
    mostBytes = std::max(mostBytes, other.mostBytes);
    if (other.lastNs < lastNs) return;
    lastNs = other.lastNs;
    lastBytes = other.lastBytes;
}

template <class Bucket>
void BucketPyramid<Bucket>::Level::growTo(int64_t size) {
    while (this->size() < size)
        m_blocks.emplace_back(static_cast<std::size_t>(kBlock));
}

template <class Bucket>
void BucketPyramid<Bucket>::add(const Record& record) {
    const int64_t begin = std::max<int64_t>(record.startNs - m_originNs, 0);
    const int64_t end = record.endNs - m_originNs;
    if (end < begin) return;
    ++m_numSlices;
    while ((end >> m_finestShift) >= std::max(kMinBuckets, m_numSlices))
        if (!giveUpFinest()) break;
    int shift = m_finestShift;
    for (Level& level : m_levels) {
        const int64_t first = begin >> shift;
        const int64_t last = std::max(first, (end - 1) >> shift);
        level.growTo(last + 1);
        for (int64_t b = first; b <= last; ++b) {
            const int64_t coveredNs = std::min(end, (b + 1) << shift) - std::max(begin, b << shift);
            level[b].add(record, static_cast<double>(coveredNs));
        }
        ++shift;
    }
}

template <class Bucket>
bool BucketPyramid<Bucket>::giveUpFinest() {
    if (m_levels.size() == 1) return false;
    m_levels.erase(m_levels.begin());
    ++m_finestShift;
    return true;
}

template <class Bucket>
int64_t BucketPyramid<Bucket>::memoryBytes() const {
    int64_t buckets = 0;
    for (const Level& level : m_levels)
        buckets += level.size();
    return buckets * static_cast<int64_t>(sizeof(Bucket));
}

template <class Bucket>
void BucketPyramid<Bucket>::fold(int64_t beginNs, int64_t endNs, std::span<Bucket> out) const {
    std::fill(out.begin(), out.end(), Bucket{});
    if (out.empty() || endNs <= beginNs) return;
    const double columnNs = static_cast<double>(endNs - beginNs) / static_cast<double>(out.size());
    // Four buckets or more to a column, where there are finer ones, keep its borders sharp.
    const int widest = std::bit_width(static_cast<uint64_t>(std::max(columnNs / 4, 1.0))) - 1;
    const int shift = std::clamp(widest, m_finestShift, m_finestShift + static_cast<int>(m_levels.size()) - 1);
    const Level& level = m_levels[static_cast<std::size_t>(shift - m_finestShift)];
    const double bucketNs = static_cast<double>(int64_t{1} << shift);
    const double columnBuckets = columnNs / bucketNs;
    const double begin = static_cast<double>(beginNs - m_originNs) / bucketNs; // of the first column, in buckets

    for (std::size_t c = 0; c < out.size(); ++c) {
        const double from = std::max(begin + columnBuckets * static_cast<double>(c), 0.0);
        const double to = begin + columnBuckets * static_cast<double>(c + 1);
        if (to <= from) continue;
        const auto first = static_cast<int64_t>(from);
        const int64_t last = std::min(level.size() - 1, static_cast<int64_t>(to)); // the ends of a column lie in them
        for (int64_t b = first; b <= last; ++b) {
            const bool isInside = b > first && b < last;
            const double covered =
                isInside ? 1 : std::min(to, static_cast<double>(b + 1)) - std::max(from, static_cast<double>(b));
            if (covered > 0) out[c].merge(level[b], covered);
        }
    }
}

template class BucketPyramid<Summary>;
template class BucketPyramid<InUse>;

} // namespace roundpipe::trace
