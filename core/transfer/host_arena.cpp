// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/host_arena.h"

#include "base/thread_team.h"
#include "geometry/workspace.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kHugePageBytes = 2 * kMiB;
constexpr unsigned kMaxLockers = 16;

int numLockers() {
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMaxLockers));
}

} // namespace

HostArena::HostArena(std::span<const int64_t> blockBytes, const char* what, int64_t pieceBytes) {
    for (const int64_t bytes : blockBytes) {
        if (m_pieces.empty() || m_pieces.back().bytes + bytes > pieceBytes) {
            const int64_t end = m_pieces.empty() ? 0 : m_pieces.back().begin + m_pieces.back().bytes;
            m_pieces.push_back({(end + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes});
        }
        LockedPiece& piece = m_pieces.back();
        m_blocks.push_back({piece.begin + piece.bytes, m_pieces.size() - 1});
        piece.bytes += geometry::alignUp(bytes);
        m_bytes += geometry::alignUp(bytes);
    }
    if (m_bytes == 0) return;
    m_pages = ZeroPages(m_pieces.back().begin + m_pieces.back().bytes, what);
    m_locks.resize(m_pieces.size());
    device::countHostBuffer(m_bytes);
}

HostArena::~HostArena() {
    if (std::ranges::any_of(m_locks, &device::PageLock::holds))
        forEachIndex(std::ssize(m_locks), numLockers(), [&](int64_t i) { m_locks[static_cast<std::size_t>(i)] = {}; });
    device::countHostBuffer(-m_bytes);
}

bool HostArena::lock(std::size_t piece) {
    m_locks[piece] = device::PageLock(m_pages.data() + m_pieces[piece].begin, m_pieces[piece].bytes);
    return m_locks[piece].holds();
}

int64_t HostArena::lockAll() {
    std::atomic<int64_t> refused = 0;
    forEachIndex(std::ssize(m_locks), numLockers(), [&](int64_t i) {
        const LockedPiece& piece = m_pieces[static_cast<std::size_t>(i)];
        touchPages(m_pages.data() + piece.begin, piece.bytes);
        if (!lock(static_cast<std::size_t>(i))) refused += piece.bytes;
    });
    return refused;
}

} // namespace roundpipe::transfer
