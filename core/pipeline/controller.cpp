#include "pipeline/controller.h"

#include "device/thread_setup.h"

namespace roundpipe::pipeline {

using trace::LaneRole;

Controller::Controller(Shared& shared, device::Device& device, const geometry::DeviceNeeds& needs)
    : m_shared(shared)
    , m_device(device)
    , m_computeStream(device.stream(LaneRole::kCompute))
    , m_up(device.stream(LaneRole::kActivationsUp))
    , m_down(device.stream(LaneRole::kActivationsDown))
    , m_gradients(device.stream(LaneRole::kGradientsDown))
    , m_memory(device, needs)
    , m_compute{{device.kind() == device::DeviceKind::kCuda, m_computeStream.native()},
                device.cudaIndex(),
                shared.model.operandType,
                shared.deterministic,
                geometry::Workspace(m_memory.buffers.workspace[0], m_memory.buffers.workspace.bytesEach())}
    , m_weights(device, shared.store, m_memory.buffers.weights,
                [monitor = shared.monitor, &store = shared.store](LayerId layer, int64_t version) {
                    monitor->waitFor([&] { return store.adapters().version(layer) >= version; });
                })
    , m_thread([this] { work(); }) {}

Controller::~Controller() {
    m_thread.join();
    m_device.drain(); // before the memory goes
}

void Controller::submit(std::shared_ptr<ProgramRun> run) {
    m_shared.monitor->change([&] { m_runs.push_back(std::move(run)); });
}

void Controller::work() {
    device::setUpComputeThread();
    try {
        for (;;) {
            const std::shared_ptr<ProgramRun> run = m_shared.monitor->waitFor([this] { return !m_runs.empty(); },
                                                                              [this] {
                                                                                  auto first = m_runs.front();
                                                                                  m_runs.pop_front();
                                                                                  return first;
                                                                              });
            runProgram(*run);
        }
    } catch (const device::Poisoned&) {
        // Taken down, or another thread failed and has said so.
    } catch (...) {
        m_shared.fault->raise(std::current_exception());
    }
}

void Controller::runProgram(ProgramRun& run) {
    std::vector<Slot> mine;
    for (const Slot& slot : run.program.slots)
        if (slot.device == m_device.id()) mine.push_back(slot);
    if (!mine.empty()) uploadBatches(run);
    for (std::size_t i = 0; i < mine.size(); ++i)
        runSlot(run, mine[i], i + 1 < mine.size() ? std::optional(mine[i + 1]) : std::nullopt);

    // The end of everything that this program issued here, prefetches excepted.
    m_up.wait(m_computeStream.record());
    m_up.wait(m_down.record());
    m_up.wait(m_gradients.record());
    const device::Event end = m_up.record();
    m_shared.monitor->change([&] { run.ends.push_back(end); });
}

// The next slot's base goes up while this one computes. What comes after the last slot of a program is a guess.
void Controller::runSlot(const ProgramRun& run, const Slot& slot, const std::optional<Slot>& next) {
    m_slotEnds[0].synchronize(); // backpressure
    m_weights.acquire(weightRequest(run, slot, false));
    if (next)
        m_weights.prefetch(weightRequest(run, *next, false));
    else if (const auto& guess = run.nextSlots[m_device.id().index()])
        m_weights.prefetch(weightRequest(run, *guess, true));

    if (slot.work == Work::kForward || slot.work == Work::kEvaluate)
        forwardSlot(run, slot);
    else
        backwardSlot(run, slot);

    m_slotEnds = {m_slotEnds[1], m_computeStream.record()};
    m_weights.release(m_slotEnds[1]);
}

void Controller::uploadBatches(const ProgramRun& run) {
    trace::Record what;
    what.kind = trace::Kind::kUploadActivation;
    what.step = static_cast<int32_t>(run.step);
    m_up.copy(m_memory.buffers.batches[0], run.batches.data(), run.batches.bytes(), what);
    m_computeStream.wait(m_up.record());
}

transfer::WeightRequest Controller::weightRequest(const ProgramRun& run, const Slot& slot, bool ofNextProgram) const {
    const int64_t ahead = ofNextProgram && run.training ? 1 : 0;
    transfer::WeightRequest request{slot.layers.begin, slot.layers.end, run.adapterVersion + ahead, {}};
    request.what = label(run, slot, trace::Kind::kUploadWeights);
    if (ofNextProgram) request.what.step = static_cast<int32_t>(run.nextStep);
    return request;
}

model::BatchView Controller::batchView(const ProgramRun& run, int32_t microbatch) const {
    model::BatchView view = run.batches.view(microbatch, m_memory.buffers.batches[0]);
    view.seed = m_shared.seed;
    view.step = run.step;
    view.training = run.training;
    view.gradientScale = run.gradientScale;
    return view;
}

double* Controller::lossOf(int32_t microbatch) const {
    return reinterpret_cast<double*>(m_memory.buffers.losses[0]) + microbatch;
}

trace::Record Controller::label(const ProgramRun& run, const Slot& slot, trace::Kind kind, int32_t microbatch,
                                int32_t layer) const {
    trace::Record what;
    what.kind = kind;
    what.step = static_cast<int32_t>(run.step);
    what.stage = slot.stage;
    what.slot = slot.index;
    what.microbatch = MicrobatchId(microbatch);
    what.layer = LayerId(layer);
    return what;
}

} // namespace roundpipe::pipeline
