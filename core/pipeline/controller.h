// SPDX-License-Identifier: GPL-3.0-or-later
// The thread of one device: issues the slots that the device gets, in program order, and never waits for the device but
// to stay at most two slots ahead of it.
#pragma once

#include "pipeline/device_state.h"

#include <array>
#include <atomic>
#include <deque>
#include <span>
#include <thread>

namespace roundpipe::pipeline {

class Controller {
public:
    // Throws kOutOfMemory.
    Controller(Shared& shared, device::Device& device, const geometry::DeviceNeeds& needs);
    ~Controller(); // after Monitor::stop()
    Controller(const Controller&) = delete;
    Controller& operator=(const Controller&) = delete;

    void submit(std::shared_ptr<ProgramRun> run);       // dispatcher
    bool hasEnded() const { return m_hasEnded.load(); } // it issues nothing any more; any thread

private:
    void work();
    void runProgram(ProgramRun& run);
    // `coming`: the `numOfProgram` slots after it on this device, then those that probably follow the program.
    void runSlot(const ProgramRun& run, const Slot& slot, std::span<const Slot> coming, std::size_t numOfProgram);
    void prefetch(const ProgramRun& run, std::span<const Slot> coming, std::size_t numOfProgram);
    void uploadBatches(const ProgramRun& run);
    transfer::LayerRequest request(const ProgramRun& run, const Slot& slot, int32_t layer, bool ofNextProgram) const;
    std::vector<Slot> slotsOf(const Program& program) const;

    DeviceState m_state;
    std::array<device::Event, 2> m_slotEnds;        // of the last two slots, oldest first
    std::deque<std::shared_ptr<ProgramRun>> m_runs; // guarded by the monitor
    std::atomic<bool> m_hasEnded{false};
    std::thread m_thread; // last: starts when the rest is there
};

} // namespace roundpipe::pipeline
