// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at devices, links and memory once a second while a run is under way, in a thread of its own, and records the
// host's memory.
#pragma once

#include "device/machine/gpu_watch.h"
#include "engine/memory_guard.h"
#include "engine/run_trace.h"
#include "engine/sleep_watch.h"
#include "session/run/status_board.h"

#include <atomic>
#include <cstdint>
#include <thread>

namespace roundpipe::engine {

// The devices, the recorder, the trace and the board outlive it.
class MachineWatch {
public:
    MachineWatch(const std::vector<std::unique_ptr<device::Device>>& devices, trace::Recorder& recorder,
                 const RunTrace& trace, session::StatusBoard& board);
    ~MachineWatch() = default; // ends the thread
    MachineWatch(const MachineWatch&) = delete;
    MachineWatch& operator=(const MachineWatch&) = delete;

    // As it stands, from the run's thread.
    MemoryState memory() const { return m_memory.load(); }
    // How long the machine was suspended since the last call.
    int64_t takeSleptNs() { return m_sleptNs.exchange(0); }

private:
    void run(const std::stop_token& stop);
    session::MachineStatus look();
    void recordHost(int64_t bytes);
    void guard(const session::HostStatus& host);

    std::vector<const device::Device*> m_devices;
    std::vector<int64_t> m_peakBytes; // by device
    trace::Producer& m_producer;
    int64_t m_recordedBytes = 0;
    const RunTrace& m_trace;
    session::StatusBoard& m_board;
    device::GpuWatch m_gpus;
    MemoryGuard m_memoryGuard;
    SleepWatch m_sleep;
    std::atomic<MemoryState> m_memory{MemoryState::kEnough};
    std::atomic<int64_t> m_sleptNs{0};
    std::jthread m_thread;
};

} // namespace roundpipe::engine
