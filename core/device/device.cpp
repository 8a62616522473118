// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/device.h"

#include "base/units.h"
#include "device/device_full.h"
#include "device/order/logged_stream.h"
#include "geometry/workspace.h"

#include <algorithm>
#include <array>

namespace roundpipe::device {
namespace {

constexpr std::size_t kCounterCapacity = 1 << 8; // memory is allocated when something begins, not while it runs

} // namespace

Device::Device(DeviceId id, std::string name, DeviceKind kind, int cudaIndex, int64_t memoryBytes,
               const DeviceContext& context, DeviceLimits limits, int64_t reservedBytes)
    : m_id(id)
    , m_name(std::move(name))
    , m_kind(kind)
    , m_cudaIndex(cudaIndex)
    , m_memoryBytes(memoryBytes)
    , m_limits(std::move(limits))
    , m_limitsMemory(context.limitsMemory)
    , m_reservedBytes(reservedBytes)
    , m_fault(context.fault)
    , m_order(context.order)
    , m_producer(context.recorder ? &context.recorder->addProducer(kCounterCapacity) : nullptr) {}

int64_t Device::usableOf(int64_t freeBytes) const {
    const int64_t usable = std::max<int64_t>(0, freeBytes - m_reservedBytes);
    return m_limits.memoryBytes > 0 ? std::min(usable, m_limits.memoryBytes) : usable;
}

std::unique_ptr<Stream> Device::logged(std::unique_ptr<Stream> stream, trace::LaneRole role) const {
    constexpr std::array kNames{"compute", "weights up", "activations up", "activations down", "gradients down"};
    if (!m_order) return stream;
    const std::string name = "device " + std::to_string(m_id.value) + ", " + kNames[static_cast<std::size_t>(role)];
    return std::make_unique<LoggedStream>(std::move(stream), *m_order, name);
}

DeviceBuffer Device::allocate(int64_t bytes) {
    bytes = std::max(geometry::alignUp(bytes), geometry::kAlignmentBytes);
    if (const int64_t limit = m_limits.memoryBytes; m_limitsMemory && limit > 0 && allocatedBytes() + bytes > limit)
        throw DeviceFull(m_id,
                         m_name + " has no room for " + formatBytes(bytes) + " more: it is limited to " +
                             formatBytes(limit) + ", of which " + formatBytes(allocatedBytes()) + " are taken",
                         "Use smaller microbatches, a shorter maximal length or more stages, or raise the limit.");
    std::byte* data = allocateRaw(bytes);
    if (!data)
        throw DeviceFull(
            m_id,
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
