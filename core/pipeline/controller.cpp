#include "pipeline/controller.h"

#include "device/thread_setup.h"
#include "pipeline/stage_backward.h"
#include "pipeline/stage_forward.h"

namespace roundpipe::pipeline {

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
    const auto takeFirst = [this] {
        auto first = m_runs.front();
        m_runs.pop_front();
        return first;
    };
    try {
        for (;;)
            runProgram(*shared.monitor->waitFor([this] { return !m_runs.empty(); }, takeFirst));
    } catch (const device::Poisoned&) {
        // Taken down, or another thread failed and has said so.
    } catch (...) {
        shared.fault->raise(std::current_exception());
    }
}

void Controller::runProgram(ProgramRun& run) {
    std::vector<Slot> mine;
    for (const Slot& slot : run.program.slots)
        if (slot.device == m_state.device.id()) mine.push_back(slot);
    if (!mine.empty()) uploadBatches(run);
    for (std::size_t i = 0; i < mine.size(); ++i)
        runSlot(run, mine[i], i + 1 < mine.size() ? std::optional(mine[i + 1]) : std::nullopt);

    // The end of everything that this program issued here, prefetches excepted.
    m_state.up.wait(m_state.computeStream.record());
    m_state.up.wait(m_state.down.record());
    m_state.up.wait(m_state.gradients.record());
    const device::Event end = m_state.up.record();
    m_state.shared.monitor->change([&] { run.ends.push_back(end); });
}

// The next slot's base goes up while this one computes. What comes after the last slot of a program is a guess.
void Controller::runSlot(const ProgramRun& run, const Slot& slot, const std::optional<Slot>& next) {
    m_slotEnds[0].synchronize(); // backpressure
    m_state.weights.acquire(weightRequest(run, slot, false));
    if (next)
        m_state.weights.prefetch(weightRequest(run, *next, false));
    else if (const auto& guess = run.nextSlots[m_state.device.id().index()])
        m_state.weights.prefetch(weightRequest(run, *guess, true));

    const Turn turn{m_state, run, slot};
    if (slot.work == Work::kForward || slot.work == Work::kEvaluate)
        forwardSlot(turn);
    else
        backwardSlot(turn);

    m_slotEnds = {m_slotEnds[1], m_state.computeStream.record()};
    m_state.weights.release(m_slotEnds[1]);
}

void Controller::uploadBatches(const ProgramRun& run) {
    trace::Record what;
    what.kind = trace::Kind::kUploadActivation;
    what.step = run.traceStep();
    m_state.up.copy(m_state.memory.buffers.batches[0], run.batches.data(), run.batches.bytes(), what);
    m_state.computeStream.wait(m_state.up.record());
}

transfer::WeightRequest Controller::weightRequest(const ProgramRun& run, const Slot& slot, bool ofNextProgram) {
    const int64_t ahead = ofNextProgram && run.training ? 1 : 0;
    transfer::WeightRequest request{slot.layers.begin, slot.layers.end, run.adapterVersion + ahead, {}};
    request.what = Turn{m_state, run, slot}.label(trace::Kind::kUploadWeights);
    if (ofNextProgram) request.what.step = static_cast<int32_t>(run.nextStep);
    return request;
}

} // namespace roundpipe::pipeline
