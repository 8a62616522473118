// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/simulated/simulated_engine.h"

#include "base/error.h"
#include "base/units.h"
#include "session/run/link_meter.h"
#include "session/run/status_board.h"
#include "session/simulated/step_replay.h"
#include "session/spec/run_shape.h"
#include "session/spec_remark.h"
#include "trace/recording/collector.h"
#include "trace/recording/stream_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

namespace roundpipe::session {
namespace {

using trace::Kind;
using trace::LaneRole;

constexpr int64_t kAnswerNs = 1'000'000'000; // to one prompt: made up, as the answer is

// A curve that falls as such curves do. No model is behind it.
double simulatedLoss(int64_t seed, int64_t step, int64_t total) {
    const double progress = static_cast<double>(step) / static_cast<double>(std::max<int64_t>(total, 1));
    const double wobble = std::sin(static_cast<double>(seed % 97) + static_cast<double>(step) * 12.9898) * 43758.5453;
    return 0.62 + 2.3 * std::exp(-4.5 * progress) + 0.16 * (wobble - std::floor(wobble) - 0.5);
}

// As far as the rig does not say it.
GpuReading simulatedReading(GpuReading reading, int64_t usedBytes, bool computes) {
    reading.usedBytes = usedBytes;
    reading.temperatureCelsius = computes ? 68 : 41;
    reading.powerWatts = computes ? 310 : 28;
    reading.powerLimitWatts = 350;
    reading.computeClockMHz = computes ? 2520 : 210;
    reading.memoryClockMHz = computes ? 10501 : 405;
    reading.utilisation = computes ? 0.94 : 0;
    return reading;
}

class SimulatedEngine final : public Engine {
public:
    explicit SimulatedEngine(SimulatedRig rig)
        : m_rig(std::move(rig))
        , m_collector(m_recorder, [this](std::span<const trace::Record> records) { m_links.add(records); }) {}
    ~SimulatedEngine() override {
        m_gone.request_stop();
        SimulatedEngine::send({Command::Kind::kStopAndDiscard, {}});
        SimulatedEngine::wait();
    }

    void start(RunJob job) override {
        validate(job);
        const RunState before = m_board->snapshot().state;
        if (before != RunState::kIdle && !isOver(before))
            throw Error(ErrorKind::kInternal, "A run is under way; it must end before another starts.");
        SimulatedEngine::wait();
        if (job.resume && !m_kept.contains(job.spec.output.folder))
            throw invalidInput("The simulated engine knows nothing of this run to go on from.",
                               "Continue it with the training engine.");
        m_board = std::make_unique<StatusBoard>();
        m_collector.beginRun();
        m_board->setState(RunState::kPreparing);
        m_planning = std::stop_source();
        m_thread = std::thread([this, job = std::move(job), stop = m_planning.get_token()] { run(job, stop); });
    }
    void send(Command command) override {
        m_board->send(std::move(command));
        if (m_board->stopRequested()) m_planning.request_stop();
    }
    void wait() override {
        if (m_thread.joinable()) m_thread.join();
    }

    Snapshot snapshot() const override {
        Snapshot snapshot = m_board->snapshot();
        const bool computes = snapshot.state == RunState::kTraining || snapshot.state == RunState::kEvaluating;
        for (std::size_t d = 0; d < snapshot.machine.devices.size(); ++d) {
            DeviceStatus& device = snapshot.machine.devices[d];
            device.link = m_links.rates(DeviceId(static_cast<int32_t>(d)), steadyNowNs());
            if (device.gpu) device.gpu = simulatedReading(*device.gpu, device.usedBytes, computes);
        }
        return snapshot;
    }
    std::vector<RunEvent> takeEvents() override { return m_board->takeEvents(); }
    void takeTrace(std::vector<trace::Record>& out) override { m_collector.take(out); }
    std::vector<trace::Record> openSlices() const override { return m_collector.openSlices(); }
    uint64_t numTraceRecordsDropped() const override { return m_collector.numDropped(); }

private:
    void run(const RunJob& job, const std::stop_token& stop) {
        RunState end = RunState::kFailed;
        try {
            const SimulatedRun run = prepare(job, stop);
            answer(job.samplePrompts, false, 0);
            train(job, run);
            m_collector.flush(); // what ended the run is in the trace before anybody sees that it is over
            end = m_board->stopRequested() ? RunState::kStopped : RunState::kFinished;
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kCancelled)
                end = RunState::kStopped;
            else
                m_board->failed(error);
        } catch (const std::exception& error) {
            m_board->failed({ErrorKind::kInternal, error.what()});
        }
        m_board->setState(end);
    }

    SimulatedRun prepare(const RunJob& job, const std::stop_token& stop) {
        const RunSpec& spec = job.spec;
        m_board->setActivities({Activity(ActivityCode::kPlanningSimulated)});
        const RunLengths lengths = m_rig.lengths ? m_rig.lengths(spec, stop) : RunLengths();
        const plan::Rig rig = simulatedRigOf(spec.engine, m_rig);
        SimulatedRun run = predictRun(spec, rig, lengths, stop);
        const LengthsSource source = sourceOf(lengths, stepContentOf(spec, lengths));
        for (const SpecRemark& remark : remarksOn(spec, run.plan.model.maxPositions, source))
            m_board->warning({remark.text});
        m_board->warning({m_rig.speed == 1 ? RunText(RunTextCode::kSimulated, rig.name)
                                           : RunText(RunTextCode::kSimulatedAtSpeed, rig.name,
                                                     fmt::format("{:g}", m_rig.speed))}); // the last one is read
        m_board->setMachine(run.machine);
        if (job.resume) run.plan.stepsDone = m_kept.at(spec.output.folder);
        m_board->planReady(run.plan);
        m_numDevices = static_cast<int>(run.machine.devices.size());
        m_shownUntilNs = m_stepEndNs = 0;
        m_board->throwIfStopRequested();
        return run;
    }

    void answer(const std::vector<std::string>& prompts, bool tuned, int64_t step) {
        if (prompts.empty()) return;
        m_board->setState(RunState::kAnswering);
        const LaneId answering = trace::laneOf(DeviceId(0), LaneRole::kCompute); // as a run does it
        for (const std::string& prompt : prompts) {
            if (m_board->stopRequested()) break;
            m_board->setActivities({Activity(ActivityCode::kAnswering, prompt)});
            showAs(Kind::kAnswer, {kAnswerNs, {recordOn(answering, Kind::kAnswer, 0, kAnswerNs)}});
            m_board->sampleReady(prompt,
                                 tuned ? RunText(RunTextCode::kSimulatedTunedAnswer, step)
                                       : RunText(RunTextCode::kSimulatedBaseAnswer),
                                 tuned);
        }
        m_board->setActivities({});
    }

    void train(const RunJob& job, const SimulatedRun& run) {
        const RunSpec& spec = job.spec;
        const StepReplay replay(run.found, run.rig);
        const int64_t evalEvery = spec.output.evalEverySteps > 0 ? spec.output.evalEverySteps : run.stepsPerEpoch;
        const int64_t total = run.plan.totalSteps;
        int64_t step = run.plan.stepsDone;
        const auto save = [&] {
            m_kept[spec.output.folder] = step;
            m_board->checkpointSaved(RunText(RunTextCode::kNothingSaved));
        };
        int64_t lastEvaluation = -1; // as trace records number them: -2 and below
        recordMemory(run.machine);
        const auto validationLoss = [&]() -> std::optional<double> {
            if (run.plan.numValidationExamples == 0) return std::nullopt;
            showAs(Kind::kEvaluate,
                   replay.evaluation(static_cast<int32_t>(run.numValidationMicrobatches), --lastEvaluation));
            return 0.05 + simulatedLoss(spec.seed + 1, step, total);
        };
        const StatusBoard::Actions actions{
            save, validationLoss, [&](const std::vector<std::string>& prompts) { answer(prompts, true, step); },
            [this](int64_t fromNs, int64_t toNs) { m_producer.put(trace::pauseOf(m_numDevices, fromNs, toNs)); }};
        m_board->setActivities({});
        m_board->setState(RunState::kTraining);
        for (;;) {
            m_board->carryOutCommands(actions);
            if (step == total || m_board->stopRequested()) break;
            const Shown shown = show(replay.step(step, total));
            markStep(static_cast<int32_t>(step), shown);
            m_stepEndNs = shown.endNs;
            StepMetrics metrics = metricsOf(spec, run, ++step);
            metrics.seconds = static_cast<double>(shown.endNs - shown.startNs) * 1e-9;
            if (run.plan.numValidationExamples > 0 && (step % evalEvery == 0 || step == total)) {
                m_board->setState(RunState::kEvaluating);
                metrics.validationLoss = validationLoss();
                m_board->setState(RunState::kTraining);
            }
            m_board->stepDone(metrics, static_cast<double>(step) / static_cast<double>(run.stepsPerEpoch));
        }
        if (m_board->stopRequested()) {
            if (!m_board->discardRequested()) save();
            return;
        }
        answer(job.samplePrompts, true, total);
        m_board->setState(RunState::kSaving);
        m_board->carryOutCommands(actions); // that came after the last step
    }

    static StepMetrics metricsOf(const RunSpec& spec, const SimulatedRun& run, int64_t step) {
        StepMetrics metrics;
        metrics.step = step;
        metrics.loss = simulatedLoss(spec.seed, step, run.plan.totalSteps);
        metrics.learningRate = scheduleOf(spec, run.plan.totalSteps).at(step - 1);
        metrics.gradNorm = 0.4 + metrics.loss / 3;
        metrics.tokens = run.tokensPerStep();
        metrics.trainedTokens = std::llround(static_cast<double>(metrics.tokens) * run.found.training.trainedShare);
        return metrics;
    }

    trace::Record recordOn(LaneId lane, Kind kind, int64_t startNs, int64_t endNs) const {
        trace::Record record;
        record.lane = lane;
        record.kind = kind;
        record.queuedNs = record.startNs = startNs;
        record.endNs = endNs;
        return record;
    }
    void recordMemory(const MachineStatus& machine) {
        const int64_t nowNs = steadyNowNs();
        const auto put = [&](LaneId lane, int64_t bytes) {
            trace::Record record = recordOn(lane, Kind::kMemory, nowNs, nowNs);
            record.bytes = bytes;
            m_producer.put(record);
        };
        for (int d = 0; d < m_numDevices; ++d)
            put(trace::laneOf(DeviceId(d), LaneRole::kMemory), machine.devices[static_cast<std::size_t>(d)].usedBytes);
        put(trace::hostLane(m_numDevices, LaneRole::kMemory), machine.host.processBytes);
    }

    struct Shown {
        int64_t startNs = 0;
        int64_t endNs = 0;
    };
    LaneId sessionLane() const { return trace::hostLane(m_numDevices, LaneRole::kSession); }
    void markStep(int32_t step, Shown shown) {
        trace::Record record = recordOn(sessionLane(), Kind::kStep, shown.startNs, shown.endNs);
        record.step = step;
        m_producer.put(record);
    }
    // What comes between steps is on the session's lane as well, from its beginning.
    void showAs(Kind kind, ReplayedStretch stretch) {
        stretch.records.push_back(recordOn(sessionLane(), kind, 0, stretch.durationNs));
        show(stretch);
    }

    struct Moment {
        int64_t ns = 0;
        const trace::Record* record = nullptr;
        bool begins = false; // else it ends
    };
    static constexpr int64_t kSeenGrowingNs = 5'000'000; // shorter ones are over before anybody looks

    // Puts each record when its time has come. What has begun is played to its end, as a real run would do it.
    Shown show(const ReplayedStretch& stretch) {
        const auto scaled = [this](int64_t ns) -> int64_t {
            return std::llround(static_cast<double>(ns) / m_rig.speed);
        };
        // Without a gap to what was shown before, unless a pause came between.
        constexpr int64_t kLateNs = 50'000'000;
        const int64_t nowNs = steadyNowNs();
        const int64_t startNs = nowNs - m_shownUntilNs < kLateNs ? m_shownUntilNs : nowNs;
        // What a step loads ahead reaches back into the step before, and into nothing else that came between.
        const int64_t earliestNs = startNs == m_stepEndNs ? 0 : startNs;
        std::vector<trace::Record> records = stretch.records;
        std::vector<Moment> moments;
        for (trace::Record& record : records) {
            record.queuedNs = std::max(startNs + scaled(record.queuedNs), earliestNs);
            record.startNs = std::max(startNs + scaled(record.startNs), earliestNs);
            record.endNs = startNs + scaled(record.endNs);
            m_orders[record.lane].keep(record); // steps that are shown again are rounded to whole ns apart
            moments.push_back({record.endNs, &record, false});
            if (record.endNs - record.startNs >= kSeenGrowingNs) moments.push_back({record.startNs, &record, true});
        }
        std::ranges::stable_sort(moments, {}, &Moment::ns);
        for (const Moment& moment : moments) {
            sleepUntil(moment.ns);
            if (moment.begins)
                m_producer.begin(*moment.record);
            else
                m_producer.put(*moment.record);
        }
        m_shownUntilNs = startNs + scaled(stretch.durationNs);
        sleepUntil(m_shownUntilNs);
        return {startNs, m_shownUntilNs};
    }
    // Or until the engine is destroyed.
    void sleepUntil(int64_t ns) {
        const int64_t aheadNs = ns - steadyNowNs();
        if (aheadNs <= 0) return;
        constexpr int64_t kShortestNs = 2'000'000;
        std::unique_lock lock(m_sleep);
        m_wake.wait_for(lock, m_gone.get_token(), std::chrono::nanoseconds(std::max(aheadNs, kShortestNs)),
                        [] { return false; });
    }

    const SimulatedRig m_rig;
    LinkMeter m_links;
    trace::Recorder m_recorder;
    trace::Producer& m_producer = m_recorder.addProducer();
    std::map<LaneId, trace::StreamOrder> m_orders;
    trace::Collector m_collector; // its thread calls m_links
    std::unique_ptr<StatusBoard> m_board = std::make_unique<StatusBoard>();
    std::stop_source m_planning; // of the run that was started last
    std::stop_source m_gone;     // the engine is being destroyed
    std::mutex m_sleep;
    std::condition_variable_any m_wake;
    std::map<std::string, int64_t> m_kept; // by the run's folder: steps done where it would have a checkpoint
    int m_numDevices = 0;                  // of the run's thread, as is what follows
    int64_t m_shownUntilNs = 0;
    int64_t m_stepEndNs = 0; // of the last step
    std::thread m_thread;
};

} // namespace

std::unique_ptr<Engine> makeSimulatedEngine(SimulatedRig rig) {
    return std::make_unique<SimulatedEngine>(std::move(rig));
}

} // namespace roundpipe::session
