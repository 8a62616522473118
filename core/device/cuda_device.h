// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU with its five streams. For cuda_runtime.cpp and cuda_device.cpp only.
#pragma once

#include "device/cuda_events.h"
#include "device/cuda_pace.h"
#include "device/device.h"
#include "device/trace_clock.h"

#include <c10/cuda/CUDAStream.h>

#include <array>

namespace roundpipe::device::cuda {

class CudaStream final : public Stream {
public:
    // `clock` may be null: nothing is traced. `index`: of the stream within its device.
    // `pace`: of the link that its copies take; null: as fast as they are. `makesWay`: between its copies those of
    // other streams may go.
    CudaStream(int cudaIndex, std::size_t index, LaneId lane, std::shared_ptr<EventPool> events, TraceClock* clock,
               CudaPace* pace, bool makesWay, const DeviceContext& context);
    ~CudaStream() override;

    void launch(std::function<void()> work) override;
    std::unique_ptr<const Recording> recorded(const std::function<void()>& work) override;
    void replay(const Recording& recording) override;
    void copy(void* to, const void* from, int64_t bytes) override;
    void openSpan(const trace::Record& what) override;
    void closeSpan() override;
    Event record() override;
    void wait(const Event& event, Awaited why) override;
    void hostWaits() override;
    void synchronize() override;
    void* native() const override { return m_stream; }
    using Stream::copy;

private:
    void setDevice() const;
    cudaEvent_t recordTime();
    void callOnSpan(trace::Record what);
    void makeWay();

    int m_cudaIndex;
    std::size_t m_index;
    LaneId m_lane;
    std::shared_ptr<EventPool> m_events;
    TraceClock* m_clock;
    CudaPace* m_pace;
    OnSpan m_onSpan; // may be null
    std::shared_ptr<Fault> m_fault;
    cudaStream_t m_stream = nullptr;
    cudaStream_t m_other = nullptr; // takes the next copy, after all that is in `m_stream`; null: it makes no way
    cudaEvent_t m_turn = nullptr;
    trace::Record m_span;
    std::vector<cudaEvent_t> m_spanTimes; // as TraceClock::add takes them; empty: no span is open
    bool m_waitHasBegun = false;          // in the open span; the next wait() ends it
};

class CudaDevice final : public Device {
public:
    CudaDevice(DeviceId id, int cudaIndex, const DeviceContext& context, const DeviceLimits& limits,
               int64_t reservedBytes);
    ~CudaDevice() override;

    int32_t computeCapability() const override;
    Stream& stream(trace::LaneRole role) override;
    int64_t freeBytes() const override;
    void drain() noexcept override;

private:
    static constexpr std::size_t kNumStreams = 5;
    std::byte* allocateRaw(int64_t bytes) override;
    void release(std::byte* data) noexcept override;

    std::unique_ptr<TraceClock> m_clock;
    std::unique_ptr<CudaPace> m_up, m_down; // null: not slowed down
    std::array<std::unique_ptr<Stream>, kNumStreams> m_streams;
};

} // namespace roundpipe::device::cuda
