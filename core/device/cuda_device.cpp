// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda_device.h"

#include "base/units.h"
#include "device/cuda_check.h"
#include "device/cuda_graph.h"
#include "device/cuda_runtime.h"
#include "device/device_full.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace roundpipe::device::cuda {
namespace {

class CudaEvent final : public Event::State {
public:
    CudaEvent(std::shared_ptr<EventPool> pool, cudaEvent_t event) : m_pool(std::move(pool)), m_event(event) {}
    ~CudaEvent() override { m_pool->giveBack(m_event); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;

    bool ready() const override {
        const cudaError_t status = cudaEventQuery(m_event);
        if (status == cudaErrorNotReady) return false;
        check(status, "asking for an event");
        return true;
    }
    void synchronize() const override { check(cudaEventSynchronize(m_event), "waiting for an event"); }
    // CUDA has no such wait. Looks less often the longer it lasts, so that neither a short wait is made much longer nor
    // a processor kept busy by a long one.
    bool waitFor(std::chrono::nanoseconds time) const override {
        using std::chrono::microseconds, std::chrono::steady_clock;
        const auto began = steady_clock::now();
        for (;;) {
            if (ready()) return true;
            const auto waited = steady_clock::now() - began;
            if (waited >= time) return false;
            std::this_thread::sleep_for(
                std::clamp<std::chrono::nanoseconds>(waited / 16, microseconds(5), microseconds(500)));
        }
    }
    cudaEvent_t native() const { return m_event; }

private:
    std::shared_ptr<EventPool> m_pool;
    cudaEvent_t m_event;
};

// What LibTorch keeps of a GPU's memory for its next kernels is free for whoever asks after the device.
void giveBackCache() noexcept {
    try {
        c10::cuda::CUDACachingAllocator::emptyCache();
    } catch (const c10::Error&) {
        // A broken GPU gives nothing back.
    }
}

cudaDeviceProp propertiesOf(int cudaIndex) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, cudaIndex), "reading a GPU's properties");
    return properties;
}

// A link is held back by kernels, which must not wait until all blocks of what computes have begun.
cudaStream_t makeStream(bool isHeldBack) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "reading the priorities of streams");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, isHeldBack ? greatest : least),
          "creating a stream");
    return stream;
}

} // namespace

CudaStream::CudaStream(int cudaIndex, std::size_t index, LaneId lane, std::shared_ptr<EventPool> events,
                       TraceClock* clock, CudaPace* pace, bool makesWay, const DeviceContext& context)
    : m_cudaIndex(cudaIndex)
    , m_index(index)
    , m_lane(lane)
    , m_events(std::move(events))
    , m_clock(clock)
    , m_pace(pace)
    , m_onSpan(context.onSpan)
    , m_fault(context.fault) {
    setDevice();
    m_stream = makeStream(pace != nullptr);
    if (!makesWay) return;
    m_other = makeStream(pace != nullptr);
    check(cudaEventCreateWithFlags(&m_turn, cudaEventDisableTiming), "creating an event");
}

CudaStream::~CudaStream() {
    cudaStreamDestroy(m_stream);
    if (m_other) cudaStreamDestroy(m_other);
    if (m_turn) cudaEventDestroy(m_turn);
}

// A GPU goes on with the copies of a stream as long as they may begin: a packet that was ready in the middle of 1.6 GB
// of weights came up after all of them, 24 ms later. It looks at other streams where one has to wait, if only for its
// own twin: the packet then takes 0.5 ms, and the weights 2 % longer (tests/bench/RESULTS.md, 2026-11-26).
void CudaStream::makeWay() {
    check(cudaEventRecord(m_turn, m_stream), "recording an event");
    std::swap(m_stream, m_other);
    check(cudaStreamWaitEvent(m_stream, m_turn), "making a stream wait");
}

void CudaStream::setDevice() const {
    check(cudaSetDevice(m_cudaIndex), "choosing a GPU");
}

void CudaStream::launch(std::function<void()> work) {
    const c10::cuda::CUDAStreamGuard guard(
        c10::cuda::getStreamFromExternal(m_stream, static_cast<c10::DeviceIndex>(m_cudaIndex)));
    try {
        work();
    } catch (const c10::OutOfMemoryError&) {
        throw DeviceFull(trace::deviceOf(m_lane),
                         nameOf(m_cudaIndex) +
                             " ran out of memory: LibTorch's kernels need more than the plan counts for them",
                         kAdviceOnMemory);
    } catch (const c10::AcceleratorError& error) {
        const std::string words = error.what_without_backtrace();
        throw gpuError(m_cudaIndex, words.substr(0, words.find('\n')));
    }
}

std::unique_ptr<const Recording> CudaStream::recorded(const std::function<void()>& work) {
    setDevice();
    return std::make_unique<CudaGraph>(m_stream, [&] { launch(work); });
}

void CudaStream::replay(const Recording& recording) {
    setDevice();
    static_cast<const CudaGraph&>(recording).launch(m_stream);
}

void CudaStream::copy(void* to, const void* from, int64_t bytes) {
    setDevice();
    const auto ofPair = static_cast<int>((m_index - 1) % CudaPace::kMaxStreams); // two go up, two come down
    if (m_pace) m_pace->begin(m_stream, ofPair);
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, m_stream), "copying");
    if (m_pace) m_pace->end(m_stream, ofPair, bytes);
}

void CudaStream::openSpan(const trace::Record& what) {
    setDevice();
    if (m_other) makeWay();
    if (m_onSpan) callOnSpan(what);
    if (!m_clock) return;
    m_span = what;
    m_span.lane = m_lane;
    m_span.queuedNs = steadyNowNs();
    m_spanTimes = {recordTime()};
}

// The stream waits for the call, which may last, but may not call CUDA.
void CudaStream::callOnSpan(trace::Record what) {
    what.lane = m_lane;
    auto call = std::make_unique<std::function<void()>>([this, what] {
        try {
            m_onSpan(what);
        } catch (...) {
            m_fault->raise(std::current_exception());
        }
    });
    const auto run = [](void* given) {
        const std::unique_ptr<std::function<void()>> taken(static_cast<std::function<void()>*>(given));
        (*taken)();
    };
    check(cudaLaunchHostFunc(m_stream, run, call.get()), "calling back");
    static_cast<void>(call.release());
}

cudaEvent_t CudaStream::recordTime() {
    const cudaEvent_t event = m_clock->takeEvent();
    check(cudaEventRecord(event, m_stream), "recording an event");
    return event;
}

void CudaStream::closeSpan() {
    if (!m_clock) return;
    setDevice();
    m_spanTimes.push_back(recordTime());
    m_clock->add(m_index, m_span, std::move(m_spanTimes));
    m_spanTimes.clear();
}

Event CudaStream::record() {
    setDevice();
    auto event = std::make_shared<CudaEvent>(m_events, m_events->take());
    check(cudaEventRecord(event->native(), m_stream), "recording an event");
    return Event(event);
}

void CudaStream::wait(const Event& event, Awaited) {
    setDevice();
    if (!event.ready()) hostWaits();
    if (const auto* other = dynamic_cast<const CudaEvent*>(event.state()))
        check(cudaStreamWaitEvent(m_stream, other->native()), "making a stream wait");
    else
        event.synchronize(); // of a CPU worker in a mixed rig: CUDA cannot wait for it
    if (m_waitHasBegun) m_spanTimes.push_back(recordTime());
    m_waitHasBegun = false;
}

void CudaStream::hostWaits() {
    if (m_spanTimes.empty() || m_waitHasBegun) return;
    setDevice();
    m_spanTimes.push_back(recordTime());
    m_waitHasBegun = true;
}

void CudaStream::synchronize() {
    check(cudaStreamSynchronize(m_stream), "waiting for a stream");
}

CudaDevice::CudaDevice(DeviceId id, int cudaIndex, const DeviceContext& context, const DeviceLimits& limits,
                       int64_t reservedBytes)
    : Device(id, "cuda:" + std::to_string(cudaIndex) + " " + propertiesOf(cudaIndex).name, DeviceKind::kCuda, cudaIndex,
             static_cast<int64_t>(propertiesOf(cudaIndex).totalGlobalMem), context, limits, reservedBytes) {
    check(cudaSetDevice(cudaIndex), "choosing a GPU");
    if (limits.upBytesPerSecond > 0) m_up = std::make_unique<CudaPace>(limits.upBytesPerSecond);
    if (limits.downBytesPerSecond > 0) m_down = std::make_unique<CudaPace>(limits.downBytesPerSecond);
    const std::array<CudaPace*, kNumStreams> paces = {nullptr, m_up.get(), m_up.get(), m_down.get(),
                                                      m_down.get()}; // by role
    const auto events = std::make_shared<EventPool>(cudaIndex, cudaEventDisableTiming | cudaEventBlockingSync);
    if (context.recorder) m_clock = std::make_unique<TraceClock>(cudaIndex, kNumStreams, *context.recorder);
    for (std::size_t i = 0; i < kNumStreams; ++i) {
        const auto role = static_cast<trace::LaneRole>(i);
        const bool goesInPieces = role == trace::LaneRole::kWeightsUp || role == trace::LaneRole::kGradientsDown;
        m_streams[i] = logged(std::make_unique<CudaStream>(cudaIndex, i, trace::laneOf(id, role), events, m_clock.get(),
                                                           paces[i], goesInPieces, context),
                              role);
    }
}

CudaDevice::~CudaDevice() {
    drain();
    m_clock.reset(); // before the streams whose spans it waits for
    giveBackCache();
}

int32_t CudaDevice::computeCapability() const {
    const cudaDeviceProp properties = propertiesOf(cudaIndex());
    return 10 * properties.major + properties.minor;
}

Stream& CudaDevice::stream(trace::LaneRole role) {
    RP_CHECK(static_cast<std::size_t>(role) < kNumStreams);
    return *m_streams[static_cast<std::size_t>(role)];
}

int64_t CudaDevice::freeBytes() const {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaSetDevice(cudaIndex()), "choosing a GPU");
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    return static_cast<int64_t>(free);
}

void CudaDevice::drain() noexcept {
    for (const auto& stream : m_streams)
        if (cudaStreamSynchronize(static_cast<cudaStream_t>(stream->native())) != cudaSuccess) cudaGetLastError();
}

std::byte* CudaDevice::allocateRaw(int64_t bytes) {
    void* data = nullptr;
    check(cudaSetDevice(cudaIndex()), "choosing a GPU");
    if (cudaMalloc(&data, static_cast<std::size_t>(bytes)) == cudaSuccess) return static_cast<std::byte*>(data);
    cudaGetLastError();
    return nullptr;
}

void CudaDevice::release(std::byte* data) noexcept {
    cudaSetDevice(cudaIndex());
    cudaFree(data);
}

int64_t libraryAllocations(int cudaIndex) {
    return c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(cudaIndex)).num_device_alloc;
}

} // namespace roundpipe::device::cuda
