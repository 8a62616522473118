// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at devices, links and memory once a second while a run is under way, in a thread of its own, and records the
// host's memory.
#pragma once

#include "device/machine/gpu_watch.h"
#include "engine/run_trace.h"
#include "session/run/status_board.h"

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

private:
    void run(const std::stop_token& stop);
    session::MachineStatus look();
    void recordHost(int64_t bytes);

    std::vector<const device::Device*> m_devices;
    std::vector<int64_t> m_peakBytes; // by device
    trace::Producer& m_producer;
    int64_t m_recordedBytes = 0;
    const RunTrace& m_trace;
    session::StatusBoard& m_board;
    device::GpuWatch m_gpus;
    std::jthread m_thread;
};

} // namespace roundpipe::engine
