// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/machine/rig_probe.h"

#include "base/error.h"
#include "base/units.h"
#include "device/cuda_runtime.h"
#include "device/driver/nvml.h"
#include "device/host_memory.h"
#include "device/machine/kept_rig.h"
#include "device/machine/like_devices.h"
#include "device/machine/pci_topology.h"
#include "device/machine/rates.h"
#include "device/open_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace roundpipe::device {
namespace {

constexpr double kCopySeconds = 0.03;
constexpr int kTries = 3; // what disturbs copies makes them slower, never faster
// Within a device's own memory. Copies of 64 MiB stay in a GeForce's cache in part, and the time between two of them
// counts: an H100 makes 2,801 GB/s of them, and 2,965 of those of 512 MiB.
constexpr int64_t kLeastCopied = 32 * kMiB, kMostCopied = 512 * kMiB;
constexpr double kMatrixSeconds = 0.15;
constexpr double kContended = 0.9; // of the sum: less means that something is shared
constexpr double kDuplex = 1.4;    // times the larger direction: more means that both run at once

// What a run may take of a device's memory is no limit of what the device can do.
DeviceContext withoutLimits() {
    DeviceContext context;
    context.limitsMemory = false;
    return context;
}

double undisturbedRate(const std::vector<Job>& jobs) {
    double best = 0;
    for (int i = 0; i < kTries; ++i)
        best = std::max(best, measureRate(jobs, kCopySeconds / 2));
    return best;
}

class RigMeasurement {
public:
    explicit RigMeasurement(const std::vector<std::string>& deviceNames);
    ProbedRig run();

private:
    bool isGpu(std::size_t d) const { return m_devices[d]->kind() == DeviceKind::kCuda; }
    void measureLink(std::size_t d);
    void measureMatrices();
    void findSharedWays();
    void measureTogether(const SharedWay& way);
    void findPeers();
    void measureHost();
    void describeDevices();
    void checkFault() const;
    template <class... Args>
    void note(fmt::format_string<Args...> format, Args&&... args) {
        m_result.notes.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    std::vector<int64_t> m_usedByOthers; // [CUDA index]: asked for before this process uses the GPUs
    DeviceContext m_context = withoutLimits();
    std::vector<std::unique_ptr<Device>> m_devices;
    std::vector<cuda::GpuFacts> m_facts; // of GPUs; empty ones for CPU workers
    std::vector<CopyBench> m_benches;
    std::vector<double> m_bothWays; // bytes/s up and down at once
    ProbedRig m_result;
};

std::string shortName(std::string name) {
    for (const std::string_view prefix : {"NVIDIA ", "GeForce "})
        if (name.starts_with(prefix)) name.erase(0, prefix.size());
    return name;
}

std::vector<int64_t> memoryInUse() {
    std::vector<int64_t> used(static_cast<std::size_t>(cuda::probe().numGpus));
    const auto nvml = used.empty() ? nullptr : openNvml();
    for (std::size_t i = 0; nvml && i < used.size(); ++i)
        used[i] = nvml->slot(cuda::describeGpu(static_cast<int>(i)).busId).usedBytes;
    return used;
}

RigMeasurement::RigMeasurement(const std::vector<std::string>& deviceNames)
    : m_usedByOthers(memoryInUse()), m_devices(openDevices(deviceNames, m_context)) {
    for (const auto& device : m_devices) {
        const bool gpu = device->kind() == DeviceKind::kCuda;
        m_facts.push_back(gpu ? cuda::describeGpu(device->cudaIndex()) : cuda::GpuFacts{});
        m_benches.emplace_back(*device, gpu ? 64 * kMiB : 32 * kMiB);
    }
    m_bothWays.resize(m_devices.size());
}

// A CPU worker's failure stops its streams without a word; here is where it is told.
void RigMeasurement::checkFault() const {
    if (m_context.fault->raised()) std::rethrow_exception(m_context.fault->error());
}

void RigMeasurement::measureLink(std::size_t d) {
    CopyBench& bench = m_benches[d];
    plan::DeviceSpec device;
    device.name = isGpu(d) ? shortName(m_facts[d].name) : m_devices[d]->name();
    device.isGpu = isGpu(d);
    if (isGpu(d)) device.numMultiprocessors = m_facts[d].numMultiprocessors;
    if (isGpu(d)) device.computeCapability = m_facts[d].computeCapability;
    const int64_t used = isGpu(d) ? m_usedByOthers[static_cast<std::size_t>(m_devices[d]->cudaIndex())] : 0;
    device.memoryBytes = m_devices[d]->usableOf(m_devices[d]->memoryBytes() - used);
    if (used > 64 * kMiB) note("device {}: {} of its memory are used by other programs", d, formatBytes(used));
    if (const int64_t reserved = m_devices[d]->reservedBytes(); reserved > 0)
        note("device {}: it drives a display, so {} of its memory are left to the desktop", d, formatBytes(reserved));
    if (const DeviceLimits& limits = m_devices[d]->limits(); !limits.words.empty())
        note("device {}: limited by {} to {} of memory", d, limits.words, formatBytes(device.memoryBytes));
    const int64_t copied = isGpu(d) ? std::clamp(device.memoryBytes / 8, kLeastCopied, kMostCopied) : kLeastCopied;
    device.memoryBytesPerSecond = measureOwnMemory(*m_devices[d], copied, kCopySeconds);
    plan::Link link;
    link.upBytesPerSecond = undisturbedRate({bench.upload()});
    link.downBytesPerSecond = undisturbedRate({bench.download()});
    m_bothWays[d] = undisturbedRate({bench.upload(), bench.download()});
    link.duplex = m_bothWays[d] > kDuplex * std::max(link.upBytesPerSecond, link.downBytesPerSecond);
    link.latencySeconds = bench.latencySeconds();
    checkFault();
    m_result.rig.devices.push_back(device);
    m_result.rig.links.push_back(link);
}

void RigMeasurement::measureMatrices() {
    std::vector<Device*> devices;
    for (const auto& device : m_devices)
        devices.push_back(device.get());
    const std::vector<double> rates = measureMatrixRates(devices, kMatrixSeconds);
    checkFault();
    for (std::size_t d = 0; d < rates.size(); ++d)
        m_result.rig.devices[d].matrixFlops = rates[d];
}

// All of `way` upload, all download, and both, at once.
void RigMeasurement::measureTogether(const SharedWay& way) {
    plan::Rig& rig = m_result.rig;
    double largest = 0;
    double upApart = 0, downApart = 0;
    for (const int d : way.devices) {
        const plan::Link& link = rig.links[static_cast<std::size_t>(d)];
        if (link.root >= 0) return; // a nearer bridge limits them already
        largest = std::max(largest, link.upBytesPerSecond);
        upApart += link.upBytesPerSecond;
        downApart += link.downBytesPerSecond;
    }
    std::vector<Job> ups, downs;
    for (const int d : way.devices) {
        const double share = rig.links[static_cast<std::size_t>(d)].upBytesPerSecond / largest;
        ups.push_back(m_benches[static_cast<std::size_t>(d)].upload(share));
        downs.push_back(m_benches[static_cast<std::size_t>(d)].download(share));
    }
    const double up = undisturbedRate(ups);
    const double down = undisturbedRate(downs);
    if (up >= kContended * upApart && down >= kContended * downApart) return;
    ups.insert(ups.end(), downs.begin(), downs.end());
    const double bothWays = undisturbedRate(ups);
    for (const int d : way.devices)
        rig.links[static_cast<std::size_t>(d)].root = static_cast<int32_t>(rig.roots.size());
    rig.roots.push_back({way.name, up, down, bothWays > kDuplex * std::max(up, down)});
    note("{}: its {} GPUs upload {:.1f} GB/s together, {:.1f} one by one, and download {:.1f}, {:.1f}; both at once "
         "{:.1f}; they share a root complex",
         way.name, way.devices.size(), up / kGiga, upApart / kGiga, down / kGiga, downApart / kGiga, bothWays / kGiga);
}

void RigMeasurement::findSharedWays() {
    std::vector<std::vector<std::string>> bridges(m_devices.size());
    for (std::size_t d = 0; d < m_devices.size(); ++d)
        if (isGpu(d)) bridges[d] = bridgesAbove(m_facts[d].busId);
    for (const SharedWay& way : sharedWays(bridges))
        measureTogether(way);
}

void RigMeasurement::findPeers() {
    for (std::size_t from = 0; from < m_devices.size(); ++from)
        for (std::size_t to = 0; to < m_devices.size(); ++to) {
            if (from == to || !isGpu(from) || !isGpu(to) ||
                !cuda::openPeerPath(m_devices[from]->cudaIndex(), m_devices[to]->cudaIndex()))
                continue;
            if (!m_benches[from].copiesTrulyTo(m_benches[to])) {
                note("device {} to {}: the driver offers a direct path, but the bytes arrive changed; it is not used",
                     from, to);
                continue;
            }
            const double rate = measureRate({m_benches[from].copyTo(m_benches[to])}, kCopySeconds / 3);
            m_result.rig.peers.push_back(
                {static_cast<int32_t>(from), static_cast<int32_t>(to), rate, m_result.rig.links[from].latencySeconds});
            note("device {} to {}: {:.1f} GB/s directly, bytes verified", from, to, rate / kGiga);
        }
}

// Host memory carries all transfers: what all devices reach together, or what copies by the processor do, if more.
void RigMeasurement::measureHost() {
    plan::HostSpec& host = m_result.rig.host;
    const int numThreads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
    const double copies = measureHostMemory(numThreads, 2 * kCopySeconds);
    std::vector<Job> all;
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        if (!isGpu(d)) continue;
        all.push_back(m_benches[d].upload());
        all.push_back(m_benches[d].download());
    }
    const double transfers = all.empty() ? 0 : measureRate(all, kCopySeconds);
    const double apart = std::accumulate(m_bothWays.begin(), m_bothWays.end(), 0.0);
    const bool limited = all.size() > 2 && m_result.rig.roots.empty() && transfers < kContended * apart;
    host.memoryBytesPerSecond = limited ? transfers : std::max(copies, transfers);
    host.memoryBytes = availableHostBytes();
    if (host.memoryBytes <= 0)
        throw Error(ErrorKind::kIo, "/proc/meminfo does not say how much memory is free.",
                    "Describe the rig in a file.");
    const auto numWorkers = static_cast<int64_t>(
        std::ranges::count_if(m_devices, [](const auto& device) { return device->kind() == DeviceKind::kCpu; }));
    if (numWorkers > 0) {
        host.memoryBytes /= 2;
        for (plan::DeviceSpec& device : m_result.rig.devices)
            if (!device.isGpu) device.memoryBytes = std::min(device.memoryBytes, host.memoryBytes / numWorkers);
    }
    note("host: {} free for a run, memory moves {:.1f} GB/s{}", formatBytes(host.memoryBytes),
         host.memoryBytesPerSecond / kGiga, limited ? ", which all GPUs together are held back by" : "");
}

// The slot is asked for after the copies: a link at rest slows down.
void RigMeasurement::describeDevices() {
    plan::Rig& rig = m_result.rig;
    const bool anyGpu = std::ranges::any_of(m_facts, [](const cuda::GpuFacts& facts) { return !facts.busId.empty(); });
    const auto nvml = anyGpu ? openNvml() : nullptr;
    if (nvml && !nvml->driver().empty()) note("NVIDIA driver {}", nvml->driver());
    if (anyGpu && !nvml) note("NVIDIA's management library is not there: slots and power limits are not known");
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        const cuda::GpuFacts& facts = m_facts[d];
        std::string what = isGpu(d) ? fmt::format("{} at {}, {} multiprocessors of {} MHz", rig.devices[d].name,
                                                  facts.busId, facts.numMultiprocessors, facts.clockMHz)
                                    : "CPU worker of one thread";
        const std::string slot = nvml && isGpu(d) ? describe(nvml->slot(facts.busId)) : "";
        if (!slot.empty()) what += ", " + slot;
        note("device {}: {}; {:.3g} TFLOP/s, own memory {:.4g} GB/s, up {:.3g}, down {:.3g}, both at once {:.3g} GB/s, "
             "{:.0f} us a copy",
             d, what, rig.devices[d].matrixFlops * 1e-12, rig.devices[d].memoryBytesPerSecond / kGiga,
             rig.links[d].upBytesPerSecond / kGiga, rig.links[d].downBytesPerSecond / kGiga, m_bothWays[d] / kGiga,
             rig.links[d].latencySeconds * 1e6);
    }
}

// "2 x RTX 4090 + cpu:2", neighbours of one name counted.
std::string nameOf(const plan::Rig& rig) {
    std::string name;
    for (std::size_t d = 0; d < rig.devices.size();) {
        const auto kind = [&](std::size_t i) {
            return rig.devices[i].isGpu ? rig.devices[i].name : std::string("CPU worker");
        };
        std::size_t end = d;
        while (end < rig.devices.size() && kind(end) == kind(d))
            ++end;
        name += (d == 0 ? "" : " + ") + (end - d > 1 ? fmt::format("{} x ", end - d) : "") + kind(d);
        d = end;
    }
    return name + " (this machine)";
}

ProbedRig RigMeasurement::run() {
    for (std::size_t d = 0; d < m_devices.size(); ++d)
        measureLink(d);
    measureMatrices();
    findSharedWays();
    findPeers();
    describeDevices();
    measureHost();
    evenOutLikeDevices(m_result.rig);
    m_result.rig.name = nameOf(m_result.rig);
    plan::validate(m_result.rig);
    keepRig(m_devices, m_result.rig);
    return std::move(m_result);
}

} // namespace

ProbedRig probeRig(const std::vector<std::string>& deviceNames) {
    return RigMeasurement(deviceNames).run();
}

} // namespace roundpipe::device
