#include "device/buffer.h"

#include "base/error.h"
#include "base/units.h"
#include "device/cuda_runtime.h"
#include "geometry/workspace.h"

#include <cstdlib>
#include <cstring>

namespace roundpipe::device {

HostBuffer::HostBuffer(int64_t bytes, bool pinned) : m_bytes(bytes) {
    const auto size = static_cast<std::size_t>(geometry::alignUp(bytes > 0 ? bytes : 1));
    auto* data = static_cast<std::byte*>(pinned ? cuda::allocatePinned(size)
                                                : std::aligned_alloc(geometry::kAlignmentBytes, size));
    if (!data)
        throw Error(ErrorKind::kOutOfMemory,
                    std::string("the host has no room for ") + formatBytes(bytes) + (pinned ? " of pinned memory" : ""),
                    "Close other programs, or use a smaller model, fewer microbatches or a shorter maximal length.");
    m_data = {data, pinned ? cuda::releasePinned : [](std::byte* piece) { std::free(piece); }};
    std::memset(data, 0, size);
}

} // namespace roundpipe::device
