// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/batches/batch_feeder.h"

#include "base/error.h"

#include <chrono>

namespace roundpipe::data {

BatchFeeder::BatchFeeder(const Batcher& batcher, int64_t first, int64_t end, int64_t depth)
    : m_batcher(batcher)
    , m_first(first)
    , m_end(end)
    , m_depth(static_cast<std::size_t>(depth))
    , m_next(first)
    , m_thread([this](const std::stop_token& stop) { assemble(stop); }) {}

void BatchFeeder::assemble(const std::stop_token& stop) {
    try {
        for (int64_t step = m_first; step < m_end; ++step) {
            std::vector<TokenBatch> batches = m_batcher.step(step);
            std::unique_lock lock(m_mutex);
            if (!m_changed.wait(lock, stop, [this] { return m_ready.size() < m_depth; })) return;
            m_ready.push_back(std::move(batches));
            m_changed.notify_all();
        }
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

std::vector<TokenBatch> BatchFeeder::next() {
    RP_CHECK(m_next < m_end);
    const auto asked = std::chrono::steady_clock::now();
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_ready.empty() || m_failure; });
    m_secondsWaited += std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
    if (m_ready.empty()) std::rethrow_exception(m_failure);
    std::vector<TokenBatch> batches = std::move(m_ready.front());
    m_ready.pop_front();
    ++m_next;
    m_changed.notify_all();
    return batches;
}

} // namespace roundpipe::data
