// SPDX-License-Identifier: GPL-3.0-or-later
// Where the weights lie on the host: the system's own pages, huge ones where it has any, so that filling them is what
// first touches them; page-locked piece by piece once they are filled.
#pragma once

#include "device/buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::transfer {

// Zeros until filled. Different pieces may be used by different threads at once.
class HostArena {
public:
    // Throws kOutOfMemory where the system has no room for all pieces.
    explicit HostArena(std::span<const int64_t> pieceBytes);
    ~HostArena();
    HostArena(const HostArena&) = delete;
    HostArena& operator=(const HostArena&) = delete;

    std::byte* piece(std::size_t i) const { return m_data + m_begins[i]; }
    // Page-locks a piece for GPUs. False where the system or the driver refuses: it can be copied from all the same, by
    // way of the driver's own page-locked memory.
    bool lock(std::size_t i);

private:
    int64_t bytes() const; // of all pieces

    std::vector<int64_t> m_pieceBytes;
    std::vector<int64_t> m_begins; // of the pieces, and the end of the last one; each on a page of its own
    std::byte* m_data = nullptr;
    std::vector<device::PageLock> m_locks; // by piece
};

} // namespace roundpipe::transfer
