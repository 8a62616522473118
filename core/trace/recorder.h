// Where producers put records: one ring per producer thread, drained by the collector (collector.h).
#pragma once

#include "trace/record.h"
#include "trace/ring.h"

#include <memory>
#include <mutex>
#include <vector>

namespace roundpipe::trace {

class Producer {
public:
    explicit Producer(std::size_t capacity) : m_ring(capacity) {}
    void put(const Record& record) { m_ring.push(record); } // the producer's own thread; about 5 ns

private:
    friend class Recorder;
    Ring<Record> m_ring;
};

class Recorder {
public:
    // A ring for the calling thread's exclusive use, alive as long as the recorder. Any thread.
    Producer& addProducer(std::size_t capacity = 1 << 14);

    // Collector thread: appends everything that has arrived to `out`, in no particular order between producers.
    void drain(std::vector<Record>& out);
    uint64_t numDropped() const; // records lost to full rings since the start; shown, never hidden

private:
    mutable std::mutex m_mutex; // guards the list, not the rings
    std::vector<std::unique_ptr<Producer>> m_producers;
};

} // namespace roundpipe::trace
