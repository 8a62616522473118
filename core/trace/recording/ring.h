// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded queue from one producer thread to one consumer thread, without locks, so that tracing costs the producer
// next to nothing.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace roundpipe::trace {

// A full ring drops the record and counts it: tracing never blocks training. `T` is trivially copyable.
template <class T>
class Ring {
public:
    explicit Ring(std::size_t capacity)
        : m_mask(std::bit_ceil(capacity) - 1), m_items(std::make_unique<T[]>(m_mask + 1)) {}

    // Producer thread only.
    bool push(const T& item) {
        const std::size_t head = m_head.load(std::memory_order_relaxed);
        if (head - m_cachedTail > m_mask) {
            m_cachedTail = m_tail.load(std::memory_order_acquire);
            if (head - m_cachedTail > m_mask) {
                m_numDropped.fetch_add(1, std::memory_order_relaxed);
                return false;
            }
        }
        m_items[head & m_mask] = item;
        m_head.store(head + 1, std::memory_order_release);
        return true;
    }

    // Consumer thread only: moves up to `into.size()` items, oldest first; returns how many.
    std::size_t pop(std::span<T> into) {
        const std::size_t tail = m_tail.load(std::memory_order_relaxed);
        const std::size_t available = m_head.load(std::memory_order_acquire) - tail;
        const std::size_t count = available < into.size() ? available : into.size();
        for (std::size_t i = 0; i < count; ++i)
            into[i] = m_items[(tail + i) & m_mask];
        m_tail.store(tail + count, std::memory_order_release);
        return count;
    }

    uint64_t numDropped() const { return m_numDropped.load(std::memory_order_relaxed); }

private:
    std::size_t m_mask;
    std::unique_ptr<T[]> m_items;
    alignas(64) std::atomic<std::size_t> m_head{0};
    std::size_t m_cachedTail = 0; // the producer's last look at m_tail
    alignas(64) std::atomic<std::size_t> m_tail{0};
    alignas(64) std::atomic<uint64_t> m_numDropped{0};
};

} // namespace roundpipe::trace
