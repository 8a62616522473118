// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/machine_watch.h"

#include "base/units.h"
#include "device/host_memory.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

namespace roundpipe::engine {
namespace {

constexpr std::size_t kCounterCapacity = 1 << 6;
constexpr int64_t kNoticeableBytes = int64_t{4} << 20; // a process's memory never stands quite still

int64_t clockNs(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

MachineWatch::MachineWatch(const std::vector<std::unique_ptr<device::Device>>& devices, trace::Recorder& recorder,
                           const RunTrace& trace, session::StatusBoard& board)
    : m_producer(recorder.addProducer(kCounterCapacity)), m_trace(trace), m_board(board), m_gpus(devices) {
    for (const auto& device : devices)
        m_devices.push_back(device.get());
    m_peakBytes.resize(m_devices.size());
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void MachineWatch::run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake; // woken by the stop only
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        session::MachineStatus machine = look();
        guard(machine.host);
        m_board.setMachine(std::move(machine));
        wake.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    }
}

session::MachineStatus MachineWatch::look() {
    session::MachineStatus machine;
    for (const device::Device* device : m_devices) {
        const int64_t used = device->allocatedBytes();
        int64_t& peak = m_peakBytes[device->id().index()];
        peak = std::max(peak, used);
        machine.devices.push_back(
            {used, peak, device->memoryBytes(), m_trace.linkRates(device->id()), m_gpus.read(device->id())});
    }
    machine.host = {device::residentBytes(), device::pinnedBytes(), device::availableHostBytes(),
                    device::physicalBytes()};
    // What GPUs copy from is the memory that a plan counts; without GPUs there is only the process.
    recordHost(machine.host.pinnedBytes > 0 ? machine.host.pinnedBytes : machine.host.processBytes);
    return machine;
}

void MachineWatch::guard(const session::HostStatus& host) {
    m_memory = m_memoryGuard.look(device::memoryPressure(), host.availableBytes, host.totalBytes);
    m_sleptNs += m_sleep.sleptNs(clockNs(CLOCK_MONOTONIC), clockNs(CLOCK_BOOTTIME));
}

void MachineWatch::recordHost(int64_t bytes) {
    if (std::abs(bytes - m_recordedBytes) < kNoticeableBytes) return;
    m_recordedBytes = bytes;
    trace::Record record;
    record.kind = trace::Kind::kMemory;
    record.lane = trace::hostLane(static_cast<int>(m_devices.size()), trace::LaneRole::kMemory);
    record.startNs = record.endNs = record.queuedNs = steadyNowNs();
    record.bytes = bytes;
    m_producer.put(record);
}

} // namespace roundpipe::engine
