#include "session/simulated_engine.h"

#include "arch/layers.h"
#include "base/error.h"
#include "base/units.h"
#include "session/simulated_schedule.h"
#include "trace/collector.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace roundpipe::session {
namespace {

constexpr int64_t kSimulatedRows = 256;
constexpr int64_t kSimulatedValidationRows = 16;
constexpr int64_t kSimulatedTokensPerRow = 96;

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

class SimulatedEngine final : public Engine {
public:
    explicit SimulatedEngine(SimulatedRig rig) : m_rig(rig), m_collector(m_recorder) {}
    ~SimulatedEngine() override {
        requestStop();
        wait();
    }

    void start(const RunSpec& spec, std::vector<std::string> samplePrompts, bool) override {
        validate(spec);
        {
            const std::scoped_lock lock(m_mutex);
            if (m_running) throw Error(ErrorKind::kInternal, "A run is under way; it must end before another starts.");
            m_running = true;
            m_snapshot = {};
        }
        if (m_thread.joinable()) m_thread.join();
        m_thread = std::jthread([this, spec, prompts = std::move(samplePrompts)](const std::stop_token& stop) {
            run(stop, spec, prompts);
        });
    }
    void requestStop() override {
        const std::scoped_lock lock(m_mutex);
        if (!m_running || m_thread.get_stop_token().stop_requested()) return;
        m_thread.request_stop();
        enterLocked(RunState::kStopping);
    }
    void wait() override {
        if (m_thread.joinable()) m_thread.join();
    }

    Snapshot snapshot() const override {
        const std::scoped_lock lock(m_mutex);
        return m_snapshot;
    }
    std::vector<RunEvent> takeEvents() override {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_events, {});
    }
    void takeTrace(std::vector<trace::Record>& out) override { m_collector.take(out); }
    uint64_t numTraceRecordsDropped() const override { return m_collector.numDropped(); }

private:
    using Events = RunEvent::Kind;

    void enterLocked(RunState state) {
        m_snapshot.state = state;
        RunEvent event;
        event.kind = Events::kStateChanged;
        event.state = state;
        m_events.push_back(std::move(event));
    }
    // A stop that was asked for stays on show until the run has ended.
    void enter(const std::stop_token& stop, RunState state, const std::string& activity = {}) {
        const std::scoped_lock lock(m_mutex);
        m_snapshot.activity = activity;
        if (!stop.stop_requested()) enterLocked(state);
    }
    void post(RunEvent event) {
        const std::scoped_lock lock(m_mutex);
        m_events.push_back(std::move(event));
    }
    void end(RunState state) {
        const std::scoped_lock lock(m_mutex);
        m_running = false;
        m_snapshot.activity.clear();
        m_snapshot.remainingSeconds.reset();
        enterLocked(state);
    }

    void run(const std::stop_token& stop, const RunSpec& spec, const std::vector<std::string>& prompts) {
        try {
            enter(stop, RunState::kPreparing, "preparing a simulated run");
            RunEvent warning;
            warning.kind = Events::kWarning;
            warning.text = "This run is simulated: nothing is trained, the numbers are made up, nothing is saved.";
            post(std::move(warning));
            const auto plan = std::make_shared<const RunPlan>(planOf(spec));
            RunEvent ready;
            ready.kind = Events::kPlanReady;
            ready.plan = plan;
            post(std::move(ready));
            answer(prompts, false);
            train(stop, spec, *plan);
            answer(prompts, true);
            end(stop.stop_requested() ? RunState::kStopped : RunState::kFinished);
        } catch (const Error& error) {
            fail(error.kind(), error.message(), error.advice());
        } catch (const std::exception& error) {
            fail(ErrorKind::kInternal, error.what(), {});
        }
    }

    void fail(ErrorKind kind, const std::string& message, const std::string& advice) {
        RunEvent event;
        event.kind = Events::kError;
        event.text = message;
        event.advice = advice;
        event.errorKind = kind;
        post(std::move(event));
        end(RunState::kFailed);
    }

    void answer(const std::vector<std::string>& prompts, bool tuned) {
        for (const std::string& prompt : prompts) {
            RunEvent event;
            event.kind = Events::kSampleReady;
            event.prompt = prompt;
            event.tuned = tuned;
            event.text = tuned ? "(simulated) What the tuned model would answer stands here."
                               : "(simulated) What the base model answers stands here.";
            post(std::move(event));
        }
    }

    void train(const std::stop_token& stop, const RunSpec& spec, const RunPlan& plan) {
        SimulatedSchedule schedule(plan, static_cast<int32_t>(spec.batch.microbatches * spec.batch.rounds), m_rig);
        const int64_t rowsPerStep = rowsPerStepOf(spec.batch);
        const int64_t stepsPerEpoch = std::max<int64_t>(1, kSimulatedRows / rowsPerStep);
        const int64_t evalEvery = spec.output.evalEverySteps > 0 ? spec.output.evalEverySteps : stepsPerEpoch;
        enter(stop, RunState::kTraining);
        const int64_t beganNs = steadyNowNs();
        for (int64_t step = 1; step <= plan.totalSteps && !stop.stop_requested(); ++step) {
            const int64_t startNs = steadyNowNs();
            replay(schedule.nextStep(static_cast<int32_t>(step - 1), startNs));
            StepMetrics metrics;
            metrics.step = step;
            metrics.loss = simulatedLoss(spec.seed, step, plan.totalSteps);
            metrics.learningRate = simulatedLearningRate(spec.optimizer, step, plan.totalSteps);
            metrics.gradNorm = 0.4 + metrics.loss / 3;
            metrics.tokens = rowsPerStep * kSimulatedTokensPerRow;
            metrics.trainedTokens = metrics.tokens / 3;
            metrics.seconds = static_cast<double>(steadyNowNs() - startNs) * 1e-9;
            if (step % evalEvery == 0 || step == plan.totalSteps) {
                enter(stop, RunState::kEvaluating, "simulating a validation");
                replay(schedule.nextEvaluation(static_cast<int32_t>(step - 1), steadyNowNs()));
                metrics.validationLoss = 0.05 + simulatedLoss(spec.seed + 1, step, plan.totalSteps);
                enter(stop, RunState::kTraining);
            }
            publish(metrics, plan, beganNs, static_cast<double>(step) / static_cast<double>(stepsPerEpoch));
        }
    }

    void publish(const StepMetrics& metrics, const RunPlan& plan, int64_t beganNs, double epoch) {
        RunEvent event;
        event.kind = Events::kStepDone;
        event.metrics = metrics;
        const double secondsPerStep =
            static_cast<double>(steadyNowNs() - beganNs) * 1e-9 / static_cast<double>(metrics.step);
        const std::scoped_lock lock(m_mutex);
        m_snapshot.step = metrics.step;
        m_snapshot.totalSteps = plan.totalSteps;
        m_snapshot.epoch = epoch;
        m_snapshot.last = metrics;
        m_snapshot.tokensPerSecond = static_cast<double>(metrics.tokens) / std::max(metrics.seconds, 1e-9);
        m_snapshot.remainingSeconds = secondsPerStep * static_cast<double>(plan.totalSteps - metrics.step);
        m_events.push_back(std::move(event));
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
    trace::Recorder m_recorder;
    trace::Producer& m_producer = m_recorder.addProducer();
    trace::Collector m_collector;
    mutable std::mutex m_mutex; // guards what follows
    bool m_running = false;
    Snapshot m_snapshot;
    std::vector<RunEvent> m_events;
    std::jthread m_thread;
};

} // namespace

std::unique_ptr<Engine> makeSimulatedEngine(SimulatedRig rig) {
    return std::make_unique<SimulatedEngine>(rig);
}

} // namespace roundpipe::session
