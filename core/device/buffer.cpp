// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/buffer.h"

#include "base/error.h"
#include "base/units.h"
#include "device/cuda_runtime.h"
#include "geometry/workspace.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace roundpipe::device {

namespace {

std::atomic<int64_t> g_pinned = 0, g_pageable = 0;

std::atomic<int64_t>& counterOf(bool pinned) {
    return pinned ? g_pinned : g_pageable;
}

} // namespace

HostBuffer::HostBuffer(int64_t bytes, bool pinned) : m_bytes(bytes) {
    if (bytes == 0) return;
    const int64_t taken = geometry::alignUp(bytes);
    const auto size = static_cast<std::size_t>(taken);
    auto* data = static_cast<std::byte*>(pinned ? cuda::allocatePinned(size)
                                                : std::aligned_alloc(geometry::kAlignmentBytes, size));
    if (!data)
        throw Error(ErrorKind::kOutOfMemory,
                    std::string("the host has no room for ") + formatBytes(bytes) + (pinned ? " of pinned memory" : ""),
                    "Close other programs, or use a smaller model, fewer microbatches or a shorter maximal length.");
    m_data = {data, Release{taken, pinned}};
    counterOf(pinned) += taken;
    std::memset(data, 0, size);
}

void HostBuffer::Release::operator()(std::byte* data) const {
    counterOf(pinned) -= bytes;
    if (pinned)
        cuda::releasePinned(data);
    else
        std::free(data);
}

PageLock::PageLock(std::byte* data, int64_t bytes) {
    if (!cuda::lockPages(data, static_cast<std::size_t>(bytes))) return;
    m_data = {data, Release{bytes}};
    g_pageable -= bytes;
    g_pinned += bytes;
}

void PageLock::Release::operator()(std::byte* data) const {
    cuda::unlockPages(data);
    g_pinned -= bytes;
    g_pageable += bytes;
}

void countHostBuffer(int64_t bytes) {
    g_pageable += bytes;
}

HostBufferBytes hostBufferBytes() {
    return {g_pinned, g_pageable};
}

} // namespace roundpipe::device
