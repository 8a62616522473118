// SPDX-License-Identifier: GPL-3.0-or-later
#include "transfer/host_arena.h"

#include "base/error.h"
#include "base/units.h"

#include <numeric>
#include <sys/mman.h>

namespace roundpipe::transfer {
namespace {

constexpr int64_t kHugePageBytes = 2 * kMiB;

} // namespace

HostArena::HostArena(std::span<const int64_t> pieceBytes)
    : m_pieceBytes(pieceBytes.begin(), pieceBytes.end()), m_begins{0}, m_locks(pieceBytes.size()) {
    for (const int64_t bytes : pieceBytes)
        m_begins.push_back(m_begins.back() + (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes);
    if (m_begins.back() == 0) return;
    const auto size = static_cast<std::size_t>(m_begins.back());
    void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        throw Error(ErrorKind::kOutOfMemory, "the host has no room for " + formatBytes(m_begins.back()) + " of weights",
                    "Close other programs, or use a smaller model.");
    ::madvise(data, size, MADV_HUGEPAGE); // a wish
    m_data = static_cast<std::byte*>(data);
    device::countHostBuffer(bytes());
}

HostArena::~HostArena() {
    m_locks.clear();
    if (m_data == nullptr) return;
    device::countHostBuffer(-bytes());
    ::munmap(m_data, static_cast<std::size_t>(m_begins.back()));
}

int64_t HostArena::bytes() const {
    return std::accumulate(m_pieceBytes.begin(), m_pieceBytes.end(), int64_t{0});
}

bool HostArena::lock(std::size_t i) {
    m_locks[i] = device::PageLock(piece(i), m_pieceBytes[i]);
    return m_locks[i].holds();
}

} // namespace roundpipe::transfer
