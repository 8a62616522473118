#include "session/simulated_engine.h"

#include "arch/layers.h"
#include "base/error.h"
#include "base/units.h"
#include "session/link_meter.h"
#include "session/simulated_schedule.h"
#include "session/status_board.h"
#include "trace/collector.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

namespace roundpipe::session {
namespace {

constexpr int64_t kSimulatedRows = 256;
constexpr int64_t kSimulatedValidationRows = 16;
constexpr int64_t kSimulatedTokensPerRow = 96;
constexpr int64_t kSimulatedDeviceBytes = 8 * kGiB;
constexpr int64_t kSimulatedHostBytes = 64 * kGiB;

std::vector<DeviceInfo> simulatedDevices(const EngineSection& engine) {
    std::vector<DeviceInfo> devices;
    const auto add = [&](const std::string& like) {
        devices.push_back(
            {"sim:" + std::to_string(devices.size()) + (like.empty() ? "" : " (for " + like + ")"), false, 8 * kGiB});
    };
    for (const std::string& name : engine.devices) {
        if (name == "auto") {
            add("");
            add("");
        } else if (name.starts_with("cpu:")) {
            const int count = std::clamp(std::atoi(name.c_str() + 4), 1, 64);
            for (int i = 0; i < count; ++i)
                add("cpu:" + std::to_string(i));
        } else {
            add(name);
        }
    }
    return devices;
}

int64_t rowsPerStepOf(const batch::StepRules& batch) {
    if (batch.tokensPerStep > 0) return std::max<int64_t>(1, batch.tokensPerStep / kSimulatedTokensPerRow);
    return batch.microbatchSize * batch.microbatches * batch.rounds;
}

RunPlan planOf(const RunSpec& spec) {
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    const auto adapted = arch::adaptedLinears(
        model, {spec.lora.rank, spec.lora.alpha, spec.lora.dropout, spec.lora.rsLora, spec.lora.targets});
    RunPlan result;
    std::vector<plan::LayerCost> costs;
    for (const arch::LayerSpec& layer : model.layers) {
        const double work = layer.kind == arch::LayerKind::kEmbedding ? 0.1 : 1.0;
        const int64_t bytes = layer.numParameters() * 2;
        costs.push_back({work, work, 2 * work, bytes});
        result.layerNames.push_back(layer.name);
        result.layerBytes.push_back(bytes);
    }
    int32_t firstTrainable = static_cast<int32_t>(model.layers.size()) - 1;
    for (std::size_t l = adapted.size(); l-- > 0;)
        for (const arch::LinearSpec& linear : adapted[l]) {
            result.numTrainableParameters += spec.lora.rank * (linear.inFeatures + linear.outFeatures);
            firstTrainable = static_cast<int32_t>(l);
        }
    result.devices = simulatedDevices(spec.engine);
    result.plan = plan::balancedPlan(costs, static_cast<int32_t>(result.devices.size()), firstTrainable);
    std::vector<std::string> names;
    for (const DeviceInfo& device : result.devices)
        names.push_back(device.name.substr(0, device.name.find(' ')));
    result.lanes = trace::makeLanes(names);
    result.modelSummary = model.summary() + " (simulated)";
    result.numExamples = kSimulatedRows;
    result.numValidationExamples = kSimulatedValidationRows;
    const int64_t rowsPerStep = rowsPerStepOf(spec.batch);
    const auto steps =
        static_cast<int64_t>(std::ceil(spec.duration.epochs * kSimulatedRows / static_cast<double>(rowsPerStep)));
    result.totalSteps = spec.duration.maxSteps > 0 ? spec.duration.maxSteps : std::max<int64_t>(1, steps);
    result.tokensPerEpoch = kSimulatedRows * kSimulatedTokensPerRow;
    result.trainedTokensPerEpoch = result.tokensPerEpoch / 3;
    return result;
}

double simulatedLearningRate(const OptimizerSection& o, int64_t step, int64_t total) {
    const double warmup =
        o.warmupSteps > 0 ? static_cast<double>(o.warmupSteps) : std::ceil(o.warmupRatio * static_cast<double>(total));
    const auto done = static_cast<double>(step - 1);
    if (done < warmup) return o.learningRate * done / warmup;
    const double progress = (done - warmup) / std::max(1.0, static_cast<double>(total) - warmup);
    if (o.schedule == ScheduleKind::kConstant) return o.learningRate;
    if (o.schedule == ScheduleKind::kLinear) return o.learningRate * (1 - progress);
    return o.learningRate * 0.5 * (1 + std::cos(3.14159265358979 * progress));
}

// A curve that falls as such curves do. No model is behind it.
double simulatedLoss(int64_t seed, int64_t step, int64_t total) {
    const double progress = static_cast<double>(step) / static_cast<double>(std::max<int64_t>(total, 1));
    const double wobble = std::sin(static_cast<double>(seed % 97) + static_cast<double>(step) * 12.9898) * 43758.5453;
    return 0.62 + 2.3 * std::exp(-4.5 * progress) + 0.16 * (wobble - std::floor(wobble) - 0.5);
}

// What a device of such a run would hold: the weights of its largest stage twice, as the next slot's are on their way.
int64_t simulatedBytesOf(const RunPlan& plan, DeviceId device) {
    const std::vector<plan::Stage> stages = plan.plan.stages();
    int64_t largest = 0;
    for (std::size_t slot = 0; slot < stages.size(); ++slot) {
        if (plan.plan.deviceOf(static_cast<int64_t>(slot)) != device) continue;
        const plan::LayerRange& layers = stages[slot].layers;
        largest = std::max(largest, std::accumulate(plan.layerBytes.begin() + layers.begin,
                                                    plan.layerBytes.begin() + layers.end, int64_t{0}));
    }
    return 2 * largest;
}

GpuReading simulatedReading(int64_t usedBytes, bool computes) {
    GpuReading reading;
    reading.usedBytes = usedBytes;
    reading.temperatureCelsius = computes ? 68 : 41;
    reading.powerWatts = computes ? 310 : 28;
    reading.powerLimitWatts = 350;
    reading.computeClockMHz = computes ? 2520 : 210;
    reading.memoryClockMHz = computes ? 10501 : 405;
    reading.utilisation = computes ? 0.94 : 0;
    reading.pcieGeneration = computes ? 4 : 1;
    reading.pcieLanes = 16;
    return reading;
}

class SimulatedEngine final : public Engine {
public:
    explicit SimulatedEngine(SimulatedRig rig)
        : m_rig(rig)
        , m_collector(m_recorder, [this](std::span<const trace::Record> records) { m_links.add(records); }) {}
    ~SimulatedEngine() override {
        requestStop();
        SimulatedEngine::wait();
    }

    void start(RunJob job) override {
        validate(job.spec);
        const RunState before = m_board->snapshot().state;
        if (before != RunState::kIdle && !isOver(before))
            throw Error(ErrorKind::kInternal, "A run is under way; it must end before another starts.");
        SimulatedEngine::wait();
        m_board = std::make_unique<StatusBoard>();
        m_collector.beginRun();
        m_board->setState(RunState::kPreparing);
        m_thread = std::thread([this, job = std::move(job)] { run(job); });
    }
    void send(Command command) override { m_board->send(std::move(command)); }
    void wait() override {
        if (m_thread.joinable()) m_thread.join();
    }

    Snapshot snapshot() const override {
        Snapshot snapshot = m_board->snapshot();
        const bool computes = snapshot.state == RunState::kTraining || snapshot.state == RunState::kEvaluating;
        for (std::size_t d = 0; d < snapshot.machine.devices.size(); ++d) {
            DeviceStatus& device = snapshot.machine.devices[d];
            device.link = m_links.rates(DeviceId(static_cast<int32_t>(d)), steadyNowNs());
            device.gpu = simulatedReading(device.usedBytes, computes);
        }
        return snapshot;
    }
    std::vector<RunEvent> takeEvents() override { return m_board->takeEvents(); }
    void takeTrace(std::vector<trace::Record>& out) override { m_collector.take(out); }
    uint64_t numTraceRecordsDropped() const override { return m_collector.numDropped(); }

private:
    void run(const RunJob& job) {
        try {
            m_board->setActivity("preparing a simulated run");
            m_board->warning("This run is simulated: nothing is trained, the numbers are made up, nothing is saved.");
            const RunPlan plan = planOf(job.spec);
            m_board->planReady(plan);
            showMachine(plan);
            answer(job.samplePrompts, false);
            train(job.spec, plan);
            if (!m_board->stopRequested()) answer(job.samplePrompts, true);
            m_collector.flush(); // what ended the run is in the trace before anybody sees that it is over
            m_board->setState(m_board->stopRequested() ? RunState::kStopped : RunState::kFinished);
        } catch (const Error& error) {
            fail(error);
        } catch (const std::exception& error) {
            fail({ErrorKind::kInternal, error.what()});
        }
    }

    void fail(const Error& error) {
        m_board->failed(error);
        m_board->setState(RunState::kFailed);
    }

    // What does not change while it runs.
    void showMachine(const RunPlan& plan) {
        MachineStatus machine;
        for (std::size_t d = 0; d < plan.devices.size(); ++d) {
            const int64_t bytes = simulatedBytesOf(plan, DeviceId(static_cast<int32_t>(d)));
            machine.devices.push_back({bytes, bytes, kSimulatedDeviceBytes, {}, {}});
        }
        const int64_t weights = std::accumulate(plan.layerBytes.begin(), plan.layerBytes.end(), int64_t{0});
        machine.host = {weights + kGiB, weights, kSimulatedHostBytes - weights - 2 * kGiB, kSimulatedHostBytes};
        m_board->setMachine(std::move(machine));
    }

    void answer(const std::vector<std::string>& prompts, bool tuned) {
        if (prompts.empty()) return;
        m_board->setState(RunState::kAnswering);
        for (const std::string& prompt : prompts)
            m_board->sampleReady(prompt,
                                 tuned ? "(simulated) What the tuned model would answer stands here."
                                       : "(simulated) What the base model answers stands here.",
                                 tuned);
    }

    void train(const RunSpec& spec, const RunPlan& plan) {
        SimulatedSchedule schedule(plan, static_cast<int32_t>(spec.batch.microbatches * spec.batch.rounds), m_rig);
        const int64_t stepsPerEpoch = std::max<int64_t>(1, kSimulatedRows / rowsPerStepOf(spec.batch));
        const int64_t evalEvery = spec.output.evalEverySteps > 0 ? spec.output.evalEverySteps : stepsPerEpoch;
        int64_t step = 0;
        const auto validationLoss = [&] {
            replay(schedule.nextEvaluation(static_cast<int32_t>(step - 1), steadyNowNs()));
            return 0.05 + simulatedLoss(spec.seed + 1, step, plan.totalSteps);
        };
        const StatusBoard::Actions actions{
            [this] { m_board->warning("(simulated) A checkpoint would be saved here; nothing is written."); },
            [&] { m_board->validated(validationLoss()); },
            [this](const std::vector<std::string>& prompts) { answer(prompts, true); }};
        m_board->setActivity({});
        m_board->setState(RunState::kTraining);
        for (;;) {
            m_board->carryOutCommands(actions);
            if (step == plan.totalSteps || m_board->stopRequested()) return;
            StepMetrics metrics = simulateStep(schedule, spec, plan.totalSteps, ++step);
            if (step % evalEvery == 0 || step == plan.totalSteps) {
                m_board->setState(RunState::kEvaluating);
                metrics.validationLoss = validationLoss();
                m_board->setState(RunState::kTraining);
            }
            m_board->stepDone(metrics, static_cast<double>(step) / static_cast<double>(stepsPerEpoch));
        }
    }

    StepMetrics simulateStep(SimulatedSchedule& schedule, const RunSpec& spec, int64_t totalSteps, int64_t step) {
        const int64_t startNs = steadyNowNs();
        replay(schedule.nextStep(static_cast<int32_t>(step - 1), startNs));
        StepMetrics metrics;
        metrics.step = step;
        metrics.loss = simulatedLoss(spec.seed, step, totalSteps);
        metrics.learningRate = simulatedLearningRate(spec.optimizer, step, totalSteps);
        metrics.gradNorm = 0.4 + metrics.loss / 3;
        metrics.tokens = rowsPerStepOf(spec.batch) * kSimulatedTokensPerRow;
        metrics.trainedTokens = metrics.tokens / 3;
        metrics.seconds = static_cast<double>(steadyNowNs() - startNs) * 1e-9;
        return metrics;
    }

    // Puts each record when its time has come. A step that has begun is played to its end, as a real one would be.
    void replay(const std::vector<trace::Record>& records) {
        for (const trace::Record& record : records) {
            const int64_t aheadNs = record.endNs - steadyNowNs();
            if (aheadNs > 0)
                std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<int64_t>(aheadNs, 2'000'000)));
            m_producer.put(record);
        }
    }

    const SimulatedRig m_rig;
    LinkMeter m_links;
    trace::Recorder m_recorder;
    trace::Producer& m_producer = m_recorder.addProducer();
    trace::Collector m_collector; // its thread calls m_links
    std::unique_ptr<StatusBoard> m_board = std::make_unique<StatusBoard>();
    std::thread m_thread;
};

} // namespace

std::unique_ptr<Engine> makeSimulatedEngine(SimulatedRig rig) {
    return std::make_unique<SimulatedEngine>(rig);
}

} // namespace roundpipe::session
