// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline.h"

#include "base/error.h"
#include "base/units.h"
#include "device/device_hung.h"
#include "pipeline/controller.h"
#include "pipeline/optimizer_thread.h"
#include "plan/cost/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <thread>

namespace roundpipe::pipeline {

using device::Awaited;

namespace {

geometry::ModelSizes sizesOf(const model::Model& model, const batch::MicrobatchBounds& largest) {
    return geometry::modelSizes(model.spec, arch::trainedLayers(model.spec, model.trained),
                                {model.trained, model.operandType, model.weights, largest.tokens, largest.sequences});
}

void check(const Pipeline::Parts& parts, const PipelineOptions& options) {
    const int32_t firstTrainable = parts.model.firstTrainableLayer();
    if (firstTrainable >= parts.model.numLayers())
        throw invalidInput("no layer of the model is trained",
                           "Name at least one target module for LoRA, or train the weights themselves.");
    RP_CHECK(parts.plan.numLayers == parts.model.numLayers());
    plan::validate(parts.plan, firstTrainable);
    for (const DeviceId device : parts.plan.deviceTable)
        if (device.index() >= parts.devices.size())
            throw invalidInput("the plan names device " + std::to_string(device.value) + " of " +
                               std::to_string(parts.devices.size()));
    if (options.step.microbatches < 1 || options.step.rounds < 1)
        throw invalidInput("a step needs at least one microbatch and one round");
    RP_CHECK(!parts.devices.empty() && options.step.largest.tokens > 0 && options.step.largest.sequences > 0);
}

plan::StepShape shapeOf(const PipelineOptions& options) {
    return {options.step.microbatches, options.step.rounds, options.updates == Updates::kOneStepStale};
}

bool anyPinned(const std::vector<device::Device*>& devices) {
    return std::any_of(devices.begin(), devices.end(), [](const auto* device) { return device->pinnedHost(); });
}

int64_t countTrained(const std::vector<TokenBatch>& batches) {
    int64_t count = 0;
    for (const TokenBatch& batch : batches)
        count += batch.numTrained();
    return count;
}

} // namespace

class Pipeline::Impl {
public:
    Impl(Parts parts, const PipelineOptions& options);
    ~Impl();

    Ticket submit(std::vector<TokenBatch> batches, double learningRate);
    void awaitDevices(const Ticket& ticket);
    StepResult await(const Ticket& ticket);
    EvaluationResult evaluate(std::vector<TokenBatch> batches);
    bool hangs();
    int64_t unlockedBytes() const {
        return m_shared.gradients.unlockedBytes() + m_shared.packets.unlockedBytes() + m_shared.saved.unlockedBytes();
    }

private:
    void checkBatches(const std::vector<TokenBatch>& batches) const;
    int64_t versionToTrain() const;
    double lossScaleToTrain();
    std::shared_ptr<ProgramRun> makeRun(Program program, std::vector<TokenBatch> batches);
    void dispatch(const std::shared_ptr<ProgramRun>& run);
    void waitForDevices(const ProgramRun& run);
    device::DeviceHung hung(const ProgramRun& run) const;
    void waitFor(const ProgramRun& run);
    const ProgramRun& underWay(const Ticket& ticket) const;
    void endOldest();
    template <class Body>
    auto guarded(Body&& body);

    Parts m_parts;
    PipelineOptions m_options;
    geometry::ModelSizes m_sizes;
    std::shared_ptr<device::Fault> m_fault;
    std::shared_ptr<Monitor> m_monitor;
    Shared m_shared;
    std::vector<device::HostBuffer> m_batchMemory, m_losses; // of the programs under way, in turn
    std::vector<std::unique_ptr<Controller>> m_controllers;  // index: DeviceId
    std::unique_ptr<OptimizerThread> m_optimizer;
    // Programs that have not ended yet, the oldest first: streams look into them.
    std::deque<std::shared_ptr<ProgramRun>> m_underWay;
    int64_t m_step;          // to submit next
    int64_t m_version;       // of the adapters, after the steps that were submitted
    LossScale m_lossScale;   // after the last step that was awaited
    int64_t m_lastEndNs = 0; // of that
    int64_t m_slots = 0;     // dispatched since the pipeline began
    int64_t m_rounds = 0;
    int64_t m_programs = 0;
    bool m_failed = false;
    bool m_isHung = false;
};

Pipeline::Impl::Impl(Parts parts, const PipelineOptions& options)
    : m_parts((check(parts, options), std::move(parts)))
    , m_options(options)
    , m_sizes(sizesOf(m_parts.model, options.step.largest))
    , m_fault(m_parts.devices.front()->fault())
    , m_monitor(Monitor::make(m_fault, m_parts.devices.front()->notes()))
    , m_shared{m_parts.model,
               m_parts.store,
               m_monitor,
               m_fault,
               PacketBoard(m_monitor, m_sizes.packetBytes, anyPinned(m_parts.devices),
                           plan::numPackets(m_parts.plan, m_sizes.firstTrainable, shapeOf(options)), "packets"),
               PacketBoard(m_monitor, plan::savedOnHostBytes(m_parts.plan, m_sizes), anyPinned(m_parts.devices),
                           plan::numSavedOnHost(m_parts.plan, m_sizes.firstTrainable, shapeOf(options)),
                           "what layers save"),
               GradientBoard(m_monitor, m_parts.store.adapters(),
                             plan::gradientRounds(m_parts.plan, options.updates == Updates::kOneStepStale),
                             anyPinned(m_parts.devices)),
               m_parts.plan,
               m_sizes,
               m_sizes.firstTrainable,
               options.seed,
               options.deterministic,
               options.checksSlots,
               options.fp8OnCpus}
    , m_step(options.firstStep)
    , m_version(m_parts.store.adapters().version(LayerId(m_sizes.firstTrainable)))
    , m_lossScale(options.lossScale) {
    const geometry::ProgramArrays arrays(options.step.microbatchesPerStep(), m_sizes.batchBytes);
    for (int64_t i = 0; i < geometry::kProgramsInFlight; ++i) {
        m_batchMemory.emplace_back(arrays.batches, anyPinned(m_parts.devices));
        m_losses.emplace_back(arrays.losses, anyPinned(m_parts.devices));
    }
    try {
        for (device::Device* device : m_parts.devices)
            m_controllers.push_back(std::make_unique<Controller>(
                m_shared, *device, plan::deviceNeeds(m_parts.plan, m_sizes, shapeOf(m_options), device->id())));
        m_optimizer = std::make_unique<OptimizerThread>(
            OptimizerThread::Parts{m_monitor, m_fault, m_shared.gradients, m_parts.store.adapters(), m_parts.optimizer,
                                   m_parts.recorder, static_cast<int32_t>(m_parts.devices.size()), m_sizes.layers,
                                   std::max(m_options.step.rounds, m_parts.plan.replicas), m_options.maxGradNorm,
                                   m_options.lossScale, m_options.updates == Updates::kOneStepStale});
    } catch (...) {
        m_monitor->stop(); // the threads that did start end
        throw;
    }
}

Pipeline::Impl::~Impl() {
    m_monitor->stop();
    m_optimizer.reset();
    m_controllers.clear(); // joins, then drains the devices
}

void Pipeline::Impl::checkBatches(const std::vector<TokenBatch>& batches) const {
    const batch::MicrobatchBounds& largest = m_options.step.largest;
    for (const TokenBatch& batch : batches) {
        RP_CHECK(batch.numTokens() > 0 && batch.starts.size() == batch.exampleIds.size() + 1);
        if (batch.numTokens() > largest.tokens || batch.numSequences() > largest.sequences ||
            batch.maxLength() > largest.length)
            throw invalidInput("a microbatch has " + std::to_string(batch.numTokens()) + " tokens in " +
                               std::to_string(batch.numSequences()) + " sequences; the run was planned for at most " +
                               std::to_string(largest.tokens) + " in " + std::to_string(largest.sequences));
    }
}

// The first step of all has only one version to read.
int64_t Pipeline::Impl::versionToTrain() const {
    const int64_t lag = m_options.updates == Updates::kOneStepStale ? 1 : 0;
    return std::max<int64_t>(m_version - lag, 0);
}

// A step goes by all steps before it, and one step stale by all but the last: whether that is known already may not
// show.
double Pipeline::Impl::lossScaleToTrain() {
    if (m_parts.model.operandType != DType::kF16) return 1;
    const bool isStale = m_options.updates == Updates::kOneStepStale;
    if (m_underWay.empty()) return isStale ? m_lossScale.before : m_lossScale.scale;
    if (isStale) return m_lossScale.scale;
    const ProgramRun& last = *m_underWay.back();
    waitForDevices(last);
    const double scale = m_monitor->waitFor([&] { return last.hasNorm; }, [&] { return last.lossScaleAfter.scale; });
    m_monitor->notes().awaited(Awaited::kNormKnown, &last);
    return scale;
}

std::shared_ptr<ProgramRun> Pipeline::Impl::makeRun(Program program, std::vector<TokenBatch> batches) {
    RP_CHECK(m_underWay.size() < static_cast<std::size_t>(geometry::kProgramsInFlight));
    const int64_t trained = countTrained(batches);
    const auto buffers = static_cast<std::size_t>(m_programs % geometry::kProgramsInFlight);
    m_monitor->notes().writes(m_batchMemory[buffers].data(), m_batchMemory[buffers].bytes(), "batches");
    auto run = std::make_shared<ProgramRun>(std::move(program), BatchBlock(std::move(batches), m_batchMemory[buffers]));
    m_monitor->notes().writes(&run->batches, sizeof(BatchBlock), "a program");
    run->serial = m_programs++;
    run->adapterVersion = m_version;
    run->gradientScale = trained > 0 ? 1.0 / static_cast<double>(trained) : 0.0;
    run->losses = reinterpret_cast<double*>(m_losses[buffers].data());
    run->startNs = steadyNowNs();
    m_slots += static_cast<int64_t>(run->program.slots.size());

    run->nextStep = m_step;
    run->next = trainingProgram(m_parts.plan, m_shared.firstTrainable, m_options.step.microbatchesPerStep(),
                                m_options.step.microbatches, m_slots);
    return run;
}

void Pipeline::Impl::dispatch(const std::shared_ptr<ProgramRun>& run) {
    m_underWay.push_back(run);
    m_monitor->notes().happened(Awaited::kProgramSubmitted, run.get());
    for (const auto& controller : m_controllers)
        controller->submit(run);
    if (run->training) m_optimizer->submit(run);
}

void Pipeline::Impl::waitForDevices(const ProgramRun& run) {
    using std::chrono::duration, std::chrono::steady_clock;
    auto deadline = Monitor::kNever;
    if (m_options.hangSeconds > 0)
        deadline = steady_clock::now() +
                   std::chrono::duration_cast<steady_clock::duration>(duration<double>(m_options.hangSeconds));
    try {
        run.waitForDevices(*m_monitor, static_cast<int32_t>(m_controllers.size()), deadline);
    } catch (const Late&) {
        throw hung(run);
    }
}

// Those that wait for a device that hangs can't be told from it.
device::DeviceHung Pipeline::Impl::hung(const ProgramRun& run) const {
    std::string names;
    m_monitor->look([&] {
        for (const device::Device* device : m_parts.devices) {
            const auto end = std::ranges::find(run.ends, device->id(), &ProgramRun::DeviceEnd::device);
            if (end == run.ends.end() || !end->isThere()) names += (names.empty() ? "" : " and ") + device->name();
        }
    });
    return device::DeviceHung(fmt::format("{} did not come to an end with a step in {}: a GPU hangs.", names,
                                          formatDuration(m_options.hangSeconds)));
}

bool Pipeline::Impl::hangs() {
    if (!m_isHung) return false;
    using std::chrono::steady_clock, trace::LaneRole;
    const auto until = steady_clock::now() + std::chrono::seconds(2);
    for (const auto& controller : m_controllers)
        while (!controller->hasEnded()) {
            if (steady_clock::now() > until) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    for (device::Device* device : m_parts.devices)
        for (const LaneRole role : {LaneRole::kCompute, LaneRole::kWeightsUp, LaneRole::kActivationsUp,
                                    LaneRole::kActivationsDown, LaneRole::kGradientsDown})
            if (!device->stream(role).record().waitFor(until - steady_clock::now())) return true;
    return false;
}

void Pipeline::Impl::waitFor(const ProgramRun& run) {
    waitForDevices(run);
    if (!run.training) return;
    m_monitor->waitFor([&] { return run.updated; });
    m_monitor->notes().awaited(Awaited::kStepUpdated, &run);
}

// Turns a fault of any thread into its exception in the caller's, once nothing runs any more.
template <class Body>
auto Pipeline::Impl::guarded(Body&& body) {
    if (m_failed) std::rethrow_exception(m_fault->error());
    try {
        return body();
    } catch (const device::Poisoned&) {
    } catch (const device::DeviceHung&) { // whoever waits for it longer hangs, too
        m_isHung = m_failed = true;
        m_fault->raise(std::current_exception());
        throw;
    } catch (...) {
        m_fault->raise(std::current_exception());
    }
    m_failed = true;
    for (device::Device* device : m_parts.devices)
        device->drain();
    std::rethrow_exception(m_fault->error());
}

Ticket Pipeline::Impl::submit(std::vector<TokenBatch> batches, double learningRate) {
    const auto numMicrobatches = static_cast<int32_t>(batches.size());
    RP_CHECK(numMicrobatches >= 1 && numMicrobatches <= m_options.step.microbatchesPerStep());
    checkBatches(batches);
    if (countTrained(batches) == 0) throw invalidInput("an optimizer step has no trained token");

    return guarded([&] {
        const double lossScale = lossScaleToTrain();
        const auto run = makeRun(trainingProgram(m_parts.plan, m_shared.firstTrainable, numMicrobatches,
                                                 m_options.step.microbatches, m_slots),
                                 std::move(batches));
        run->training = true;
        run->adapterVersion = versionToTrain();
        run->lossScale = lossScale;
        run->gradientScale *= lossScale;
        run->step = m_step++;
        run->nextStep = m_step;
        run->firstRound = m_rounds;
        run->learningRate = learningRate;
        m_rounds += run->program.numRounds;
        ++m_version;
        dispatch(run);
        return Ticket{run->step};
    });
}

// Steps are awaited in their order.
const ProgramRun& Pipeline::Impl::underWay(const Ticket& ticket) const {
    RP_CHECK(!m_underWay.empty() && m_underWay.front()->step == ticket.step);
    return *m_underWay.front();
}

// Nothing looks into it any more. While nothing is under way the caller may read what is trained.
void Pipeline::Impl::endOldest() {
    const device::HostNotes& notes = m_monitor->notes();
    notes.writes(&m_underWay.front()->batches, sizeof(BatchBlock), "a program");
    m_underWay.pop_front();
    if (!m_underWay.empty()) return;
    const transfer::AdapterBlocks& trained = m_parts.store.adapters();
    for (int32_t l = 0; l < m_sizes.numLayers(); ++l) {
        notes.reads(trained.masters(LayerId(l)).data(), trained.bytes(LayerId(l)).masters, "masters");
        for (const std::span<const std::byte> moments : m_parts.optimizer.kept(LayerId(l)))
            notes.reads(moments.data(), std::ssize(moments), "moments");
    }
}

void Pipeline::Impl::awaitDevices(const Ticket& ticket) {
    guarded([&] { waitForDevices(underWay(ticket)); });
}

// A step that was updated before the pipeline failed is whole, and its weights are: it must not be done again.
StepResult Pipeline::Impl::await(const Ticket& ticket) {
    const ProgramRun& run = underWay(ticket);
    try {
        guarded([&] { waitFor(run); });
    } catch (...) {
        m_optimizer.reset(); // it ends what it has begun
        if (!run.updated) throw;
    }
    StepResult result;
    result.tokens = run.batches.numTokens();
    result.trainedTokens = run.batches.numTrained();
    result.loss = run.summedLoss(m_monitor->notes()) / static_cast<double>(result.trainedTokens);
    result.gradNorm = run.gradNorm;
    result.usedScale = run.lossScale;
    result.skipped = !std::isfinite(run.gradNorm);
    result.notFinite = run.notFinite;
    m_lossScale = run.lossScaleAfter;
    if (m_parts.model.operandType == DType::kF16 || m_lossScale.skippedSteps > 0) result.lossScale = m_lossScale;
    result.seconds = static_cast<double>(run.endNs - std::max(run.startNs, m_lastEndNs)) * 1e-9;
    m_lastEndNs = run.endNs;
    endOldest();
    return result;
}

EvaluationResult Pipeline::Impl::evaluate(std::vector<TokenBatch> batches) {
    RP_CHECK(m_underWay.empty());
    checkBatches(batches);
    EvaluationResult result;
    result.trainedTokens = countTrained(batches);
    const auto perProgram = static_cast<std::size_t>(m_options.step.microbatchesPerStep());
    return guarded([&] {
        double sum = 0;
        for (std::size_t first = 0; first < batches.size(); first += perProgram) {
            const auto begin = batches.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end =
                batches.begin() + static_cast<std::ptrdiff_t>(std::min(first + perProgram, batches.size()));
            std::vector<TokenBatch> part(std::make_move_iterator(begin), std::make_move_iterator(end));
            const auto count = static_cast<int32_t>(part.size());
            const auto run = makeRun(evaluationProgram(m_parts.plan, count, m_slots), std::move(part));
            dispatch(run);
            waitFor(*run);
            sum += run->summedLoss(m_monitor->notes());
            endOldest();
        }
        result.loss = result.trainedTokens > 0 ? sum / static_cast<double>(result.trainedTokens) : 0;
        return result;
    });
}

Pipeline::Pipeline(Parts parts, const PipelineOptions& options)
    : m_impl(std::make_unique<Impl>(std::move(parts), options)) {}
Pipeline::~Pipeline() = default;

Ticket Pipeline::submit(std::vector<TokenBatch> batches, double learningRate) {
    return m_impl->submit(std::move(batches), learningRate);
}

void Pipeline::awaitDevices(const Ticket& ticket) {
    m_impl->awaitDevices(ticket);
}

StepResult Pipeline::await(const Ticket& ticket) {
    return m_impl->await(ticket);
}

EvaluationResult Pipeline::evaluate(std::vector<TokenBatch> batches) {
    return m_impl->evaluate(std::move(batches));
}

bool Pipeline::hangs() {
    return m_impl->hangs();
}

int64_t Pipeline::unlockedBytes() const {
    return m_impl->unlockedBytes();
}

} // namespace roundpipe::pipeline
