// SPDX-License-Identifier: GPL-3.0-or-later
// Where what GPUs and the optimizer read lies on the host: many blocks in one stretch of the system's own pages, huge
// ones where it has any, so that filling them is what first touches them; page-locked in large pieces.
#pragma once

#include "base/units.h"
#include "base/zero_pages.h"
#include "device/buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::transfer {

// Zeros until filled. Different blocks may be used by different threads at once.
class HostArena {
public:
    // Blocks of so many bytes, aligned as all buffers are. They lie side by side in pieces of at most `pieceBytes`,
    // each of whole blocks: a copy never crosses from what is page-locked at once to the next. Throws kOutOfMemory
    // naming `what` ("weights") where the system has no room for all of them.
    HostArena(std::span<const int64_t> blockBytes, const char* what, int64_t pieceBytes = kGiB);
    ~HostArena();
    HostArena(const HostArena&) = delete;
    HostArena& operator=(const HostArena&) = delete;

    std::byte* block(std::size_t i) const { return m_pages.data() + m_blocks[i].begin; }

    std::size_t numPieces() const { return m_pieces.size(); }
    std::size_t pieceOf(std::size_t block) const { return m_blocks[block].piece; }
    int64_t pieceBytes(std::size_t piece) const { return m_pieces[piece].bytes; }
    // Page-locks a piece for GPUs. False where the system or the driver refuses: it can be copied from all the same, by
    // way of the driver's own page-locked memory. Any thread; several at once for different pieces.
    bool lock(std::size_t piece);
    // Page-locks all of it, by several threads that touch their pieces first. Returns the bytes that were refused.
    int64_t lockAll();

private:
    struct BlockPlace {
        int64_t begin;
        std::size_t piece;
    };
    struct LockedPiece {
        int64_t begin = 0; // a multiple of a huge page
        int64_t bytes = 0;
    };

    std::vector<BlockPlace> m_blocks;
    std::vector<LockedPiece> m_pieces;
    int64_t m_bytes = 0; // of all blocks, with what aligns them
    ZeroPages m_pages;
    std::vector<device::PageLock> m_locks; // by piece
};

} // namespace roundpipe::transfer
