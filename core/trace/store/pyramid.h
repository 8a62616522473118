// SPDX-License-Identifier: GPL-3.0-or-later
// Levels of detail of a lane: for buckets of time of doubling width, how busy the lane was and which kind of slice took
// most of it, or how much a counter counted. What is drawn where slices are narrower than a pixel.
#pragma once

#include "trace/record.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace roundpipe::trace {

// What happened within a stretch of time on one lane. What is not work (isWork) is shown where nothing else is.
struct Summary {
    double busyNs = 0;      // of work, slices that overlap counted each
    int64_t longestNs = -1; // whole duration of the longest slice of work that touches; -1: no work
    Kind kind = Kind::kWait;
    bool used = false; // any slice touches

    void add(const Record& record, double coveredNs);
    void merge(const Summary& other, double share); // `share` of the other stretch lies in this one
};

// What a counter said within a stretch of time.
struct InUse {
    int64_t mostBytes = -1; // -1: nothing was recorded
    int64_t lastBytes = 0;
    int64_t lastNs = std::numeric_limits<int64_t>::min(); // when the last of them was recorded

    void add(const Record& record, double coveredNs);
    void merge(const InUse& other, double share);
};

// Level k has buckets of 2^(17 + k) ns, level 0 thus 131 us. A level that would have more buckets than the lane has
// slices is given up (never below 4096 buckets), so memory follows the slices and not the length of the run: about 48
// bytes a slice. Closer than the finest level, slices are few enough to be looked at one by one (fold.h).
//
// Same thread rule as the lane store that owns it.
template <class Bucket>
class BucketPyramid {
public:
    explicit BucketPyramid(int64_t originNs = 0) : m_originNs(originNs), m_levels(kNumLevels) {}

    void add(const Record& record); // what lies before the origin is left out
    int64_t finestNs() const { return int64_t{1} << m_finestShift; }
    int64_t memoryBytes() const;
    bool giveUpFinest(); // about half of its memory; false: there is only one level left

    // `out.size()` equal columns of [beginNs, endNs). A bucket on the border of two columns is shared out
    // by overlap: sums stay exact, borders are off by less than a bucket. Columns finer than finestNs() are smeared.
    void fold(int64_t beginNs, int64_t endNs, std::span<Bucket> out) const;

private:
    static constexpr int kFinestShift = 17;
    static constexpr int kNumLevels = 22; // the coarsest buckets last 4.6 minutes
    static constexpr int64_t kMinBuckets = 4096;
    // Grows without moving what it has: copies of a hundred MiB would hold up who appends.
    class Level {
    public:
        int64_t size() const { return static_cast<int64_t>(m_blocks.size()) * kBlock; }
        void growTo(int64_t size); // no less, in whole blocks
        Bucket& operator[](int64_t b) { return m_blocks[blockOf(b)][withinBlock(b)]; }
        const Bucket& operator[](int64_t b) const { return m_blocks[blockOf(b)][withinBlock(b)]; }

    private:
        static constexpr int64_t kBlock = 512;
        static std::size_t blockOf(int64_t b) { return static_cast<std::size_t>(b) / kBlock; }
        static std::size_t withinBlock(int64_t b) { return static_cast<std::size_t>(b) % kBlock; }
        std::vector<std::vector<Bucket>> m_blocks; // of kBlock each
    };

    int64_t m_originNs;
    int m_finestShift = kFinestShift;
    int64_t m_numSlices = 0;
    std::vector<Level> m_levels; // [0] is the finest that is kept
};

using Pyramid = BucketPyramid<Summary>;
using CounterPyramid = BucketPyramid<InUse>;

} // namespace roundpipe::trace
