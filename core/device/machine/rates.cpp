// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/machine/rates.h"

#include "base/thread_team.h"
#include "base/units.h"
#include "device/streams/thread_setup.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/normal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

namespace roundpipe::device {
namespace {

using trace::LaneRole;

double secondsSince(int64_t startNs) {
    return std::max(1e-9, static_cast<double>(steadyNowNs() - startNs) * 1e-9);
}

double secondsOf(const std::vector<Job>& jobs, int times) {
    const int64_t start = steadyNowNs();
    for (int i = 0; i < times; ++i)
        for (const Job& job : jobs)
            job.issue();
    for (const Job& job : jobs)
        job.stream->synchronize();
    return secondsSince(start);
}

// Odd multipliers make neighbouring words differ in all bytes; a copy that is shifted or repeated shows.
void fillWithPattern(std::byte* data, int64_t bytes, uint64_t seed) {
    uint64_t state = seed;
    for (int64_t at = 0; at + 8 <= bytes; at += 8) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        std::memcpy(data + at, &state, 8);
    }
}

} // namespace

double measureRate(const std::vector<Job>& jobs, double seconds) {
    constexpr int kMostTimes = 10'000;
    secondsOf(jobs, 1); // pages, handles and clocks
    const double once = secondsOf(jobs, 1);
    const int times = std::clamp(static_cast<int>(std::min<double>(seconds / once, kMostTimes)), 1, kMostTimes);
    double amount = 0;
    for (const Job& job : jobs)
        amount += job.amount;
    return amount * times / secondsOf(jobs, times);
}

CopyBench::CopyBench(Device& device, int64_t bytes)
    : m_device(device)
    , m_hostUp(bytes, device.pinnedHost())
    , m_hostDown(bytes, device.pinnedHost())
    , m_deviceUp(device.allocate(bytes))
    , m_deviceDown(device.allocate(bytes)) {}

Job CopyBench::upload(double share) {
    const int64_t bytes =
        std::clamp<int64_t>(std::llround(share * static_cast<double>(m_hostUp.bytes())), 1, m_hostUp.bytes());
    Stream& stream = m_device.stream(LaneRole::kActivationsUp);
    return {&stream, [this, &stream, bytes] { stream.copy(m_deviceUp.data(), m_hostUp.data(), bytes); },
            static_cast<double>(bytes)};
}

Job CopyBench::download(double share) {
    const int64_t bytes =
        std::clamp<int64_t>(std::llround(share * static_cast<double>(m_hostDown.bytes())), 1, m_hostDown.bytes());
    Stream& stream = m_device.stream(LaneRole::kActivationsDown);
    return {&stream, [this, &stream, bytes] { stream.copy(m_hostDown.data(), m_deviceDown.data(), bytes); },
            static_cast<double>(bytes)};
}

double CopyBench::latencySeconds() {
    constexpr int kPairs = 50;
    constexpr int64_t kBytes = 4096;
    Stream& up = m_device.stream(LaneRole::kActivationsUp);
    Stream& down = m_device.stream(LaneRole::kActivationsDown);
    const int64_t start = steadyNowNs();
    for (int i = 0; i < kPairs; ++i) {
        up.copy(m_deviceUp.data(), m_hostUp.data(), kBytes);
        down.wait(up.record(), Awaited::kInTurns);
        down.copy(m_hostDown.data(), m_deviceDown.data(), kBytes);
        up.wait(down.record(), Awaited::kInTurns);
    }
    up.synchronize();
    down.synchronize();
    return secondsSince(start) / (2 * kPairs);
}

Job CopyBench::copyTo(CopyBench& to) {
    Stream& stream = m_device.stream(LaneRole::kActivationsDown);
    const int64_t bytes = std::min(m_deviceUp.bytes(), to.m_deviceUp.bytes());
    return {&stream, [this, &to, &stream, bytes] { stream.copy(to.m_deviceUp.data(), m_deviceUp.data(), bytes); },
            static_cast<double>(bytes)};
}

bool CopyBench::copiesTrulyTo(CopyBench& to) {
    const int64_t bytes = std::min(m_hostUp.bytes(), to.m_hostUp.bytes());
    fillWithPattern(m_hostUp.data(), bytes, static_cast<uint64_t>(steadyNowNs()));
    std::memset(to.m_hostDown.data(), 0, static_cast<std::size_t>(bytes));
    Stream& here = m_device.stream(LaneRole::kActivationsUp);
    Stream& there = to.m_device.stream(LaneRole::kActivationsUp);
    there.copy(to.m_deviceUp.data(), to.m_hostDown.data(), bytes); // nothing of an earlier copy may be left
    there.synchronize();
    here.copy(m_deviceUp.data(), m_hostUp.data(), bytes);
    here.synchronize();
    const Job copy = copyTo(to);
    copy.issue();
    copy.stream->synchronize();
    there.copy(to.m_hostDown.data(), to.m_deviceUp.data(), bytes);
    there.synchronize();
    return std::memcmp(to.m_hostDown.data(), m_hostUp.data(), static_cast<std::size_t>(bytes)) == 0;
}

double measureOwnMemory(Device& device, int64_t bytes, double seconds) {
    const DeviceBuffer from = device.allocate(bytes), to = device.allocate(bytes);
    Stream& stream = device.stream(LaneRole::kCompute);
    const auto copy = [&] { stream.copy(to.data(), from.data(), bytes); };
    return measureRate({{&stream, copy, 2.0 * static_cast<double>(bytes)}}, seconds);
}

namespace {

// Random operands: products of zeros draw less power and run faster than training's.
class MatrixBench {
public:
    explicit MatrixBench(Device& device) : m_device(device) {
        const bool isGpu = device.kind() == DeviceKind::kCuda;
        m_size = isGpu ? 8192 : 512;
        const auto options =
            at::TensorOptions()
                .dtype(isGpu ? at::kBFloat16 : at::kFloat)
                .device(isGpu ? at::Device(at::kCUDA, static_cast<at::DeviceIndex>(device.cudaIndex())) : at::kCPU);
        const int64_t bytes = m_size * m_size * (isGpu ? 2 : 4);
        for (std::size_t i = 0; i < 3; ++i) {
            m_buffers[i] = device.allocate(bytes);
            m_matrices[i] = at::from_blob(m_buffers[i].data(), {m_size, m_size}, options);
        }
        Stream& stream = device.stream(LaneRole::kCompute);
        stream.launch([this] {
            m_matrices[0].normal_();
            m_matrices[1].normal_();
        });
        stream.synchronize();
    }

    Job product() {
        Stream& stream = m_device.stream(LaneRole::kCompute);
        const auto size = static_cast<double>(m_size);
        return {&stream,
                [this, &stream] { stream.launch([this] { at::mm_out(m_matrices[2], m_matrices[0], m_matrices[1]); }); },
                2 * size * size * size};
    }

private:
    Device& m_device;
    int64_t m_size = 0;
    std::array<DeviceBuffer, 3> m_buffers;
    std::array<at::Tensor, 3> m_matrices;
};

} // namespace

std::vector<double> measureMatrixRates(const std::vector<Device*>& devices, double seconds) {
    setUpComputeThread();
    std::vector<std::unique_ptr<MatrixBench>> benches;
    for (Device* device : devices)
        benches.push_back(std::make_unique<MatrixBench>(*device));
    std::vector<double> rates(devices.size());
    // A thread a device, as the engine's controllers: unequal ones end apart.
    forEachIndex(std::ssize(devices), static_cast<int>(devices.size()), [&](int64_t i) {
        const auto d = static_cast<std::size_t>(i);
        setUpComputeThread();
        rates[d] = measureRate({benches[d]->product()}, seconds);
    });
    return rates;
}

double measureHostMemory(int numThreads, double seconds) {
    constexpr std::size_t kBytes = 32 << 20; // beyond a core's share of any cache
    struct Bench {
        std::unique_ptr<std::byte[]> from = std::make_unique_for_overwrite<std::byte[]>(kBytes);
        std::unique_ptr<std::byte[]> to = std::make_unique_for_overwrite<std::byte[]>(kBytes);
        double rate = 0;
    };
    std::vector<Bench> benches(static_cast<std::size_t>(numThreads));
    forEachIndex(numThreads, numThreads, [&](int64_t i) {
        Bench& bench = benches[static_cast<std::size_t>(i)];
        std::memset(bench.from.get(), 1, kBytes); // by the thread that copies: on its own memory node
        std::memset(bench.to.get(), 2, kBytes);
        int times = 0;
        const int64_t start = steadyNowNs();
        do {
            std::memcpy(bench.to.get(), bench.from.get(), kBytes);
            bench.from[static_cast<std::size_t>(times)] = bench.to[kBytes - 1]; // or the copies could be left out
            ++times;
        } while (secondsSince(start) < seconds);
        bench.rate = 2.0 * static_cast<double>(kBytes) * times / secondsSince(start);
    });
    double total = 0;
    for (const Bench& bench : benches)
        total += bench.rate;
    return total;
}

} // namespace roundpipe::device
