// A GPU with its five streams. For cuda_runtime.cpp and cuda_device.cpp only.
#pragma once

#include "device/cuda_events.h"
#include "device/device.h"
#include "device/trace_clock.h"

#include <c10/cuda/CUDAStream.h>

#include <array>

namespace roundpipe::device::cuda {

class CudaStream final : public Stream {
public:
    // `clock` may be null: nothing is traced. `index`: of the stream within its device.
    CudaStream(int cudaIndex, std::size_t index, LaneId lane, std::shared_ptr<EventPool> events, TraceClock* clock);
    ~CudaStream() override;

    void launch(std::function<void()> work) override;
    void copy(void* to, const void* from, int64_t bytes) override;
    void openSpan(const trace::Record& what) override;
    void closeSpan() override;
    Event record() override;
    void wait(const Event& event) override;
    void synchronize() override;
    void* native() const override { return m_stream; }
    using Stream::copy;

private:
    void setDevice() const;
    cudaEvent_t recordTime();

    int m_cudaIndex;
    std::size_t m_index;
    LaneId m_lane;
    std::shared_ptr<EventPool> m_events;
    TraceClock* m_clock;
    cudaStream_t m_stream = nullptr;
    trace::Record m_span;
    std::vector<cudaEvent_t> m_spanTimes; // as TraceClock::add takes them; empty: no span is open
};

class CudaDevice final : public Device {
public:
    CudaDevice(DeviceId id, int cudaIndex, const DeviceContext& context);
    ~CudaDevice() override;

    Stream& stream(trace::LaneRole role) override;
    int64_t freeBytes() const override;
    void drain() noexcept override;

private:
    static constexpr std::size_t kNumStreams = 5;
    std::byte* allocateRaw(int64_t bytes) override;
    void release(std::byte* data) noexcept override;

    std::unique_ptr<TraceClock> m_clock;
    std::array<std::unique_ptr<CudaStream>, kNumStreams> m_streams;
};

} // namespace roundpipe::device::cuda
