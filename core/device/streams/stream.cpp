// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/streams/stream.h"

#include <algorithm>

namespace roundpipe::device {

void copyInChunks(Stream& stream, void* to, const void* from, int64_t bytes, const trace::Record& what) {
    for (int64_t offset = 0; offset < bytes; offset += kChunkBytes)
        stream.copy(static_cast<std::byte*>(to) + offset, static_cast<const std::byte*>(from) + offset,
                    std::min(kChunkBytes, bytes - offset), what);
}

} // namespace roundpipe::device
