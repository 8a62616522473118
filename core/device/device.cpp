#include "device/device.h"

#include "base/error.h"
#include "base/units.h"
#include "geometry/workspace.h"

#include <algorithm>

namespace roundpipe::device {
namespace {

constexpr std::size_t kCounterCapacity = 1 << 8; // memory is allocated when something begins, not while it runs

} // namespace

Device::Device(DeviceId id, std::string name, DeviceKind kind, int cudaIndex, int64_t memoryBytes,
               const DeviceContext& context)
    : m_id(id)
    , m_name(std::move(name))
    , m_kind(kind)
    , m_cudaIndex(cudaIndex)
    , m_memoryBytes(memoryBytes)
    , m_fault(context.fault)
    , m_producer(context.recorder ? &context.recorder->addProducer(kCounterCapacity) : nullptr) {}

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
    count(bytes);
    return DeviceBuffer(data, bytes, [this, bytes](std::byte* piece) {
        count(-bytes);
        release(piece);
    });
}

void Device::count(int64_t bytes) {
    const std::scoped_lock lock(m_counting);
    trace::Record record;
    record.bytes = m_allocatedBytes.fetch_add(bytes) + bytes;
    if (!m_producer) return;
    record.kind = trace::Kind::kMemory;
    record.lane = trace::laneOf(m_id, trace::LaneRole::kMemory);
    record.startNs = record.endNs = record.queuedNs = steadyNowNs();
    m_producer->put(record);
}

} // namespace roundpipe::device
