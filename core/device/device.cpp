#include "device/device.h"

#include "base/error.h"
#include "base/units.h"
#include "geometry/workspace.h"

#include <algorithm>

namespace roundpipe::device {

Device::Device(DeviceId id, std::string name, DeviceKind kind, int cudaIndex, int64_t memoryBytes,
               std::shared_ptr<Fault> fault)
    : m_id(id)
    , m_name(std::move(name))
    , m_kind(kind)
    , m_cudaIndex(cudaIndex)
    , m_memoryBytes(memoryBytes)
    , m_fault(std::move(fault)) {}

DeviceBuffer Device::allocate(int64_t bytes) {
    bytes = std::max(geometry::alignUp(bytes), geometry::kAlignmentBytes);
    std::byte* data = allocateRaw(bytes);
    if (!data)
        throw Error(
            ErrorKind::kOutOfMemory,
            m_name + " has no room for " + formatBytes(bytes) + " more (" + formatBytes(freeBytes()) + " of " +
                formatBytes(m_memoryBytes) + " are free)",
            "Use smaller microbatches, a shorter maximal length or more stages, or close what else runs there.");
    m_numAllocations.fetch_add(1);
    m_allocatedBytes.fetch_add(bytes);
    return DeviceBuffer(data, bytes, [this, bytes](std::byte* piece) {
        m_allocatedBytes.fetch_sub(bytes);
        release(piece);
    });
}

} // namespace roundpipe::device
