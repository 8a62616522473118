// SPDX-License-Identifier: GPL-3.0-or-later
// Where producers put records: one ring per producer thread, drained by the collector (collector.h).
#pragma once

#include "trace/record.h"
#include "trace/recording/ring.h"

#include <memory>
#include <mutex>
#include <vector>

namespace roundpipe::trace {

class Producer {
public:
    explicit Producer(std::size_t capacity) : m_ring(capacity) {}
    // The producer's own thread; each about 5 ns.
    void put(const Record& record) { m_ring.push(record); }
    void begin(const Record& record) { m_begun.push(record); } // seen while it lasts; put() follows at its end

private:
    friend class Recorder;
    static constexpr std::size_t kBegunCapacity = 256; // one that is lost is not seen before its end, and no worse
    Ring<Record> m_ring;
    Ring<Record> m_begun{kBegunCapacity};
};

class Recorder {
public:
    // A ring for the calling thread's exclusive use, alive as long as the recorder. Any thread.
    Producer& addProducer(std::size_t capacity = 1 << 14);

    // Collector thread: appends everything that has arrived to `out`, in no particular order between producers.
    void drain(std::vector<Record>& out);
    void drainBegun(std::vector<Record>& out); // likewise, what has begun
    uint64_t numDropped() const;               // records lost to full rings since the start; shown, never hidden

private:
    mutable std::mutex m_mutex; // guards the list, not the rings
    std::vector<std::unique_ptr<Producer>> m_producers;
};

} // namespace roundpipe::trace
