// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/recorder.h"

#include <array>

namespace roundpipe::trace {
namespace {

void empty(Ring<Record>& ring, std::vector<Record>& out) {
    std::array<Record, 256> chunk;
    while (const std::size_t count = ring.pop(chunk))
        out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(count));
}

} // namespace

Producer& Recorder::addProducer(std::size_t capacity) {
    const std::scoped_lock lock(m_mutex);
    return *m_producers.emplace_back(std::make_unique<Producer>(capacity));
}

void Recorder::drain(std::vector<Record>& out) {
    const std::scoped_lock lock(m_mutex);
    for (const auto& producer : m_producers)
        empty(producer->m_ring, out);
}

void Recorder::drainBegun(std::vector<Record>& out) {
    const std::scoped_lock lock(m_mutex);
    for (const auto& producer : m_producers)
        empty(producer->m_begun, out);
}

uint64_t Recorder::numDropped() const {
    const std::scoped_lock lock(m_mutex);
    uint64_t total = 0;
    for (const auto& producer : m_producers)
        total += producer->m_ring.numDropped();
    return total;
}

} // namespace roundpipe::trace
