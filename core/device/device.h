// SPDX-License-Identifier: GPL-3.0-or-later
// A device that computes: a CUDA GPU, or a CPU worker that stands in for one. Both have five streams, memory of their
// own and events, so that everything above is one code path.
#pragma once

#include "base/ids.h"
#include "device/buffer.h"
#include "device/limits/device_limits.h"
#include "device/order/order_log.h"
#include "device/streams/fault.h"
#include "device/streams/stream.h"
#include "trace/recording/recorder.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace roundpipe::device {

enum class DeviceKind { kCpu, kCuda };

// Called as a span begins, in a CPU worker's stream thread or a thread of the driver's: tests put delays and faults
// here. The stream waits for it.
using OnSpan = std::function<void(const trace::Record&)>;

// What devices of one run share. `recorder` may be null (nothing is traced) and must outlive the devices; so may and
// must `order`, which logs what is issued to them.
struct DeviceContext {
    std::shared_ptr<Fault> fault = std::make_shared<Fault>();
    trace::Recorder* recorder = nullptr;
    OrderLog* order = nullptr;
    bool limitsMemory = true; // false: to measure what devices are, whatever a run may take of their memory
    OnSpan onSpan;            // may be null
};

class Device {
public:
    virtual ~Device() = default;

    DeviceId id() const { return m_id; }               // position in the rig: decides lanes
    const std::string& name() const { return m_name; } // "cpu:0", "cuda:0 NVIDIA GeForce RTX 4090"
    DeviceKind kind() const { return m_kind; }
    int cudaIndex() const { return m_cudaIndex; }         // -1: CPU
    int64_t memoryBytes() const { return m_memoryBytes; } // total; of the host for a CPU worker
    // Of a GPU, as plan::DeviceSpec says it; 0: CPU.
    virtual int32_t computeCapability() const { return 0; }
    bool pinnedHost() const { return m_kind == DeviceKind::kCuda; }
    const std::shared_ptr<Fault>& fault() const { return m_fault; }
    bool isLogged() const { return m_order != nullptr; }
    HostNotes notes() const { return HostNotes(m_order); } // of host threads that work for the device
    const DeviceLimits& limits() const { return m_limits; }
    // What a run may take of so many free bytes: within the limit, and with something left to the desktop where the
    // device drives a display.
    int64_t usableOf(int64_t freeBytes) const;
    int64_t reservedBytes() const { return m_reservedBytes; } // for the desktop

    // One of the five device roles of trace::LaneRole.
    virtual Stream& stream(trace::LaneRole role) = 0;
    virtual int64_t freeBytes() const = 0;
    // Aligned to geometry::kAlignmentBytes, contents undefined. Throws DeviceFull naming device and size. Counted,
    // and recorded on the memory lane.
    DeviceBuffer allocate(int64_t bytes);
    int64_t numAllocations() const { return m_numAllocations.load(); }
    int64_t allocatedBytes() const { return m_allocatedBytes.load(); }
    // The host waits until every stream has run dry. Does not throw: a broken device has run dry.
    virtual void drain() noexcept = 0;

protected:
    Device(DeviceId id, std::string name, DeviceKind kind, int cudaIndex, int64_t memoryBytes,
           const DeviceContext& context, DeviceLimits limits, int64_t reservedBytes = 0);
    virtual std::byte* allocateRaw(int64_t bytes) = 0; // null when there is not enough
    virtual void release(std::byte* data) noexcept = 0;
    // The stream itself where nothing is logged.
    std::unique_ptr<Stream> logged(std::unique_ptr<Stream> stream, trace::LaneRole role) const;

private:
    void count(int64_t bytes); // more, or less, are allocated

    DeviceId m_id;
    std::string m_name;
    DeviceKind m_kind;
    int m_cudaIndex;
    int64_t m_memoryBytes;
    DeviceLimits m_limits;
    bool m_limitsMemory;
    int64_t m_reservedBytes;
    std::shared_ptr<Fault> m_fault;
    OrderLog* m_order; // may be null
    std::atomic<int64_t> m_numAllocations{0};
    std::atomic<int64_t> m_allocatedBytes{0};
    std::mutex m_counting; // one thread at a time is the producer
    trace::Producer* m_producer;
};

} // namespace roundpipe::device
