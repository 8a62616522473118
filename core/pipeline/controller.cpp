// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/controller.h"

#include "device/streams/thread_setup.h"
#include "pipeline/stage_backward.h"
#include "pipeline/stage_forward.h"

namespace roundpipe::pipeline {

using device::Awaited;

Controller::Controller(Shared& shared, device::Device& device, const geometry::DeviceNeeds& needs)
    : m_state(shared, device, needs), m_thread([this] { work(); }) {}

Controller::~Controller() {
    m_thread.join();
    m_state.device.drain(); // before the memory goes
}

void Controller::submit(std::shared_ptr<ProgramRun> run) {
    m_state.shared.monitor->change([&] { m_runs.push_back(std::move(run)); });
}

void Controller::work() {
    device::setUpComputeThread();
    const Shared& shared = m_state.shared;
    m_state.device.notes().isThread("the controller", m_state.device.id());
    const auto takeFirst = [this] {
        auto first = m_runs.front();
        m_runs.pop_front();
        return first;
    };
    try {
        for (;;) {
            const std::shared_ptr<ProgramRun> run =
                shared.monitor->waitFor([this] { return !m_runs.empty(); }, takeFirst);
            m_state.device.notes().awaited(Awaited::kProgramSubmitted, run.get());
            runProgram(*run);
        }
    } catch (const device::Poisoned&) {
        // Taken down, or another thread failed and has said so.
    } catch (...) {
        shared.fault->raise(std::current_exception());
    }
    m_hasEnded.store(true);
}

std::vector<Slot> Controller::slotsOf(const Program& program) const {
    std::vector<Slot> mine;
    for (const Slot& slot : program.slots)
        if (slot.device == m_state.device.id()) mine.push_back(slot);
    return mine;
}

void Controller::runProgram(ProgramRun& run) {
    std::vector<Slot> slots = slotsOf(run.program);
    const std::size_t numSlots = slots.size();
    for (const Slot& guess : slotsOf(run.next))
        slots.push_back(guess);
    if (numSlots > 0) uploadBatches(run);
    for (std::size_t i = 0; i < numSlots; ++i)
        runSlot(run, slots[i], std::span(slots).subspan(i + 1), numSlots - i - 1);

    m_state.gradientsToSend.issueShare(1, m_state.down); // the update waits for them

    // The end of everything that this program issued here, prefetches excepted: what goes up was waited for, and all
    // that is computed comes down.
    const ProgramRun::DeviceEnd end{m_state.device.id(), m_state.down.record(), m_state.gradients.record()};
    m_state.device.notes().happened(Awaited::kProgramIssued, &run, m_state.device.id().value);
    m_state.shared.monitor->change([&] { run.ends.push_back(end); });
}

// What the device needs next goes up while this slot computes. What comes after the last slot of a program is a guess.
void Controller::runSlot(const ProgramRun& run, const Slot& slot, std::span<const Slot> coming,
                         std::size_t numOfProgram) {
    m_state.shared.monitor->await(m_slotEnds[0], Awaited::kSlotsAhead);
    std::vector<transfer::LayerRequest> layers;
    for (int32_t layer = slot.layers.begin; layer < slot.layers.end; ++layer)
        layers.push_back(request(run, slot, layer, false));
    m_state.weights.acquire(layers);
    prefetch(run, coming, numOfProgram);

    const Turn turn{m_state, run, slot};
    if (slot.work == Work::kForward || slot.work == Work::kEvaluate)
        forwardSlot(turn);
    else
        backwardSlot(turn);

    m_slotEnds = {m_slotEnds[1], m_state.computeStream.record()};
}

void Controller::prefetch(const ProgramRun& run, std::span<const Slot> coming, std::size_t numOfProgram) {
    std::vector<transfer::LayerRequest> layers;
    const auto isThere = [this](int32_t layer) { return m_state.weights.hasSlot(layer); };
    for (const auto& [slot, layer] : layersFarAhead(m_state.shared.plan, m_state.device.id(), coming, isThere))
        layers.push_back(request(run, *slot, layer, slot >= coming.data() + numOfProgram));
    m_state.weights.prefetch(layers);
}

void Controller::uploadBatches(const ProgramRun& run) {
    trace::Record what;
    what.kind = trace::Kind::kUploadActivation;
    what.step = run.traceStep();
    m_state.up.copy(m_state.memory.buffers.batches[run.buffers()], run.batches.data(), run.batches.bytes(), what);
    m_state.computeStream.wait(m_state.up.record(), Awaited::kBatchesLanded);
}

transfer::LayerRequest Controller::request(const ProgramRun& run, const Slot& slot, int32_t layer,
                                           bool ofNextProgram) const {
    transfer::LayerRequest request{layer, ofNextProgram ? transfer::kNoVersion : run.adapterVersion, {}};
    request.what.step = ofNextProgram ? static_cast<int32_t>(run.nextStep) : run.traceStep();
    request.what.stage = slot.stage;
    request.what.slot = slot.index;
    return request;
}

} // namespace roundpipe::pipeline
