// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/training.h"

#include "arch/checkpoint.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/units.h"
#include "device/open_devices.h"
#include "engine/broken_weights.h"
#include "engine/chat/model_text.h"
#include "engine/dataset_reader.h"
#include "engine/kept_times.h"
#include "engine/session_span.h"
#include "generate/text_generator.h"
#include "pipeline/parameters.h"
#include "runs/changes.h"
#include "session/run/trace_about.h"
#include "session/spec/run_shape.h"
#include "session/spec/trainable_weights.h"
#include "session/spec_remark.h"
#include "transfer/load_checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;
using session::RunState;
using session::RunText;
using session::RunTextCode;

namespace {

constexpr std::size_t kSessionCapacity = 1 << 8; // a few validations and answers between two drains

// Who reads a checkpoint's files takes them for a model's, or an adapter's.
template <class Read>
void namingCheckpoint(const std::filesystem::path& folder, const Read& read) {
    try {
        read();
    } catch (const Error& error) {
        throw Error(
            error.kind(), "The run cannot go on from '" + folder.string() + "'. " + error.message(),
            "The checkpoint is damaged, or was changed. Begin a run anew; where another one beside it is whole, "
            "from that (on the command line: --start-from).");
    }
}

} // namespace

Training::Training(const session::RunSpec& spec, RunFolder& folder, session::StatusBoard& board,
                   trace::Recorder& recorder, RunTrace& trace, const device::OnSpan& onSpan)
    : m_spec(spec)
    , m_folder(folder)
    , m_board(board)
    , m_recorder(recorder)
    , m_session(recorder.addProducer(kSessionCapacity))
    , m_trace(trace)
    , m_onSpan(onSpan) {}

Training::~Training() = default;

bool Training::hangs() {
    if (!m_pipeline || !m_pipeline->hangs()) return false;
    m_feeder.reset();
    m_watch.reset();
    return true;
}

bool Training::report(std::vector<Activity> activities) {
    m_board.setActivities(std::move(activities));
    return !m_board.stopRequested();
}

template <class Body>
auto Training::withinMemory(const Body& body) {
    return untilItFits(body, [this](const device::DeviceFull& full) { return tighten(full); });
}

void Training::prepare(bool acceptsChanges, bool trainsOn) {
    const auto say = [this](const Activity& activity) { return report({activity}); };
    openModel();
    DatasetReader rows(m_spec, *m_text);
    makeDevicesAndModel();
    if (m_folder.resumesFrom()) takeUpCheckpoint(acceptsChanges);
    useDataset(rows.take(say));
    requirePlan();
    loadWeights(say);
    m_fingerprint.emplace(m_spec, *m_dataset); // reads the same files
    if (const auto& before = m_folder.resumesFrom(); before && before->state.fingerprint)
        require(runs::changedContent(*before, m_spec, m_fingerprint->get()), acceptsChanges);
    goOnAfterEarlyEnd(trainsOn);
    withinMemory([this] { makePipeline(); });
    announce();
}

void Training::openModel() {
    report(ActivityCode::kReadingModel);
    m_modelSpec = arch::makeModelSpec(arch::readModelConfig(m_spec.model.path));
    if (m_spec.method == Method::kFull) arch::requireWholeTrainable(m_modelSpec.config);
    session::requireFormatFor(m_modelSpec.config, m_spec.model.weights);
    m_text = openModelText(m_spec.model.path, m_spec.model.chatTemplate);
    if (const int64_t rows = m_modelSpec.config.vocabSize; m_text->tokenizer.vocabSize() > rows)
        m_board.warning({RunText(RunTextCode::kMoreTokensThanRows, m_text->tokenizer.vocabSize(), rows)});
    if (!m_spec.model.randomWeights) arch::Checkpoint::open(m_spec.model.path).requireAll(m_modelSpec.layers);
}

void Training::useDataset(data::Dataset dataset) {
    m_dataset = std::move(dataset);
    for (const session::DroppedRow& row : m_dataset->dropped())
        log::info("dropped " + row.text);
    log::info(m_dataset->stats().summary());
    if (!m_dataset->dropped().empty())
        m_board.warning({RunText(RunTextCode::kAsSaid, fmt::format("{}. The first: {}", m_dataset->stats().summary(),
                                                                   m_dataset->dropped().front().text))});
    if (const int64_t turns = m_dataset->stats().numTurnsWithoutEnd; turns > 0)
        m_board.warning({RunText(RunTextCode::kAnswersWithoutEnd, turns)});
    m_content = settleSteps(m_spec, m_modelSpec, m_devices, *m_dataset);
    m_batcher.emplace(m_dataset->training(), session::stepRulesOf(m_spec), session::drawOrderOf(m_spec),
                      session::sharesOf(m_spec));
    m_totalSteps = m_batcher->steps().total(m_spec.duration.epochs, m_spec.duration.maxSteps);
    if (m_state.step > m_totalSteps)
        throw invalidInput(
            fmt::format("The run has done {} steps already, and is to have {}.", m_state.step, m_totalSteps),
            "Give it more steps (duration.max_steps, duration.epochs), or leave it as it is.");
    m_schedule = session::scheduleOf(m_spec, m_totalSteps);
}

void Training::openDevices() {
    device::DeviceContext context;
    context.recorder = &m_recorder;
    context.onSpan = m_onSpan;
    m_devices = device::openDevices(m_spec.engine.devices, context);
    m_watch.emplace(m_devices, m_recorder, m_trace, m_board);
}

void Training::makeDevicesAndModel() {
    report(ActivityCode::kOpeningDevices);
    openDevices();
    std::vector<std::string> names;
    for (const auto& device : m_devices)
        names.push_back(device->name());
    m_lanes = trace::makeLanes(names);
    m_model = model::makeModel(m_modelSpec, session::trainedOf(m_spec),
                               operandTypeOf(m_spec.engine.precision, onGpusOnly(m_devices)), m_spec.model.weights);
    for (const auto& device : m_devices)
        model::requireTrainableOn(*m_model, device->kind() == device::DeviceKind::kCuda);
}

// Now, not after the minutes in which weights are read or made. The plan itself is made once they are there, of what is
// free then.
void Training::requirePlan() {
    report(ActivityCode::kPlanning);
    static_cast<void>(planOf(m_spec, *m_model, m_devices, m_content, soFar()));
}

void Training::loadWeights(const Report& report) {
    const bool pinned = std::ranges::any_of(m_devices, [](const auto& device) { return device->pinnedHost(); });
    m_store = std::make_unique<transfer::HostWeightStore>(layouts(), m_model->operandType, pinned);
    fillStore(*m_store, m_spec, report);
    warnOfUnlocked(m_store->unlockedBytes());

    const session::OptimizerSection& optimizer = m_spec.optimizer;
    m_adamw = std::make_unique<optim::AdamW>(
        optim::AdamWConfig{optimizer.beta1, optimizer.beta2, optimizer.epsilon, optimizer.weightDecay,
                           static_cast<uint64_t>(m_spec.seed)},
        m_store->adapters().masterType(), momentTypeOf(optimizer.moments, m_model->operandType),
        pipeline::parametersOf(m_store->adapters()));
    m_still = std::make_unique<optim::StillLayers>(*m_adamw);
    m_state.seed = m_spec.seed;
    if (const auto& found = m_folder.resumesFrom()) {
        namingCheckpoint(found->folder, [&] { readWeights(found->folder); });
        m_folder.truncateMetrics(m_state.step);
    }
    m_saver.emplace(
        RunSaver::Sources{m_spec, m_folder, m_board, *m_model, *m_store, *m_adamw, *m_still, m_fingerprint});
}

// The same seed gives the same rows in the same order, and the same draws.
void Training::takeUpCheckpoint(bool acceptsChanges) {
    const runs::FoundCheckpoint& found = *m_folder.resumesFrom();
    const std::filesystem::path& folder = found.folder;
    if (!found.state.fingerprint) m_board.warning({RunText(RunTextCode::kCheckpointUnchecked, folder.string())});
    if (!found.state.fingerprint && found.state.seed != m_spec.seed)
        require({fmt::format("'seed' was {} and is {}.", found.state.seed, m_spec.seed)}, acceptsChanges);
    const bool hasAdapter = std::filesystem::exists(folder / "adapter_config.json");
    if (hasAdapter == m_model->trained.base)
        throw invalidInput(fmt::format("The run was begun with method {}, and is to go on with {}.",
                                       spellingOf(hasAdapter ? Method::kLora : Method::kFull),
                                       spellingOf(m_spec.method)),
                           "Resume with the same settings, or begin a run from what it made.");
    if (const std::vector<std::string> changes = runs::changedTensors(found, m_spec); !changes.empty())
        throw invalidInput(fmt::format("The run cannot go on with what it has trained. {}", fmt::join(changes, " ")),
                           "Put back what has changed, or begin a run of its own.");
    require(runs::changedSettings(found, m_spec), acceptsChanges);
    m_state = found.state;
    m_replicasBefore = m_state.replicas;
}

void Training::require(const std::vector<std::string>& changes, bool areAccepted) {
    if (changes.empty()) return;
    const std::string all = fmt::format("{}", fmt::join(changes, " "));
    if (areAccepted) {
        m_folder.note(runs::JournalEvent::kRemedy, m_folder.resumesFrom()->state.step, {}, "Accepted: " + all);
        return m_board.warning({RunText(RunTextCode::kChangesAccepted, all)});
    }
    throw invalidInput("The run would not go on as it began. " + all,
                       "Put back what has changed, accept it (on the command line: --accept-changes), or begin a run "
                       "of its own.");
}

void Training::readWeights(const std::filesystem::path& folder) {
    const DType dtype = m_store->adapters().masterType();
    const DType moments = m_adamw->momentType();
    artifact::AdapterSpans<std::byte> masters{dtype, {}}, first{moments, {}}, second{moments, {}};
    for (const geometry::LayerLayout& layout : layouts()) {
        masters.layers.push_back(m_store->adapters().masters(layout.spec.id));
        first.layers.push_back(m_adamw->firstMoment(layout.spec.id));
        second.layers.push_back(m_adamw->secondMoment(layout.spec.id));
    }
    if (const DType had = artifact::readMoments(folder, layouts(), first, second); had != moments)
        m_board.warning({RunText(RunTextCode::kMomentsConverted, toString(had), toString(moments))});
    if (isStale() && artifact::readVersionBefore(folder, layouts(), masters)) m_store->adapters().publishAll();
    if (m_model->trained.base)
        transfer::loadCheckpoint(*m_store, arch::Checkpoint::open(folder), {});
    else
        artifact::readAdapterWeights(folder, layouts(), masters);
    m_store->adapters().publishAll();
}

pipeline::PipelineOptions Training::pipelineOptions() const {
    pipeline::PipelineOptions options;
    options.step = m_content;
    options.maxGradNorm = m_spec.optimizer.maxGradNorm;
    options.seed = static_cast<uint64_t>(m_spec.seed);
    options.deterministic = m_spec.engine.determinism == Determinism::kStrict;
    options.updates = m_spec.optimizer.updates;
    options.firstStep = m_state.step;
    options.lossScale = m_state.lossScale.value_or(LossScale());
    options.hangSeconds = m_hangSeconds;
    return options;
}

// Weights, versions and moments are there before the plan that is carried out.
int64_t Training::hostBytesHeld() const {
    if (!m_store) return 0;
    int64_t bytes = m_store->bytes();
    for (const geometry::TrainedBlock& block : m_store->adapters().shapes()) {
        const geometry::TrainedBytes each(block, m_model->operandType);
        bytes += static_cast<int64_t>(geometry::kAdapterVersions) * each.version + each.masters +
                 static_cast<int64_t>(geometry::kMoments) * geometry::bytesOf(m_adamw->momentType(), block.numElements);
    }
    return bytes;
}

RunSoFar Training::soFar() const {
    return {hostBytesHeld(), m_plan.numLayers == 0 ? m_replicasBefore : m_plan.replicas, m_memoryShares.ofDevices()};
}

// A step that takes ten times what was planned, and minutes beside, has a GPU that hangs. A CPU worker's may just have
// to wait for other programs.
void Training::makePlan() {
    FoundPlan found = planOf(m_spec, *m_model, m_devices, m_content, soFar());
    m_plan = std::move(found.plan);
    m_rig = std::move(found.rig);
    m_hangSeconds = onGpusOnly(m_devices) ? 300 + 10 * found.stepSeconds : 0;
}

void Training::makePipeline() {
    report(ActivityCode::kPlanning);
    if (m_plan.numLayers == 0) makePlan();
    m_state.replicas = m_plan.replicas;
    report(ActivityCode::kAllocating);
    std::vector<device::Device*> devices;
    for (const auto& device : m_devices)
        devices.push_back(device.get());
    m_pipeline = std::make_unique<pipeline::Pipeline>(
        pipeline::Pipeline::Parts{*m_model, m_plan, devices, *m_store, *m_still, &m_recorder}, pipelineOptions());
    warnOfUnlocked(m_pipeline->unlockedBytes());
}

void Training::warnOfUnlocked(int64_t bytes) {
    if (bytes > 0) m_board.warning({RunText(RunTextCode::kNotPageLocked, formatBytes(bytes))});
}

// Other programs may have taken memory, or LibTorch's kernels more than the plan thought: what is free now counts, and
// of the device that was full less each time. Devices are opened anew, as a fault on them is for good. Weights are
// those after the last step that is done, so the next one is what failed.
bool Training::tighten(const device::DeviceFull& full) {
    m_underWay.reset();
    m_pipeline.reset();
    m_watch.reset();
    m_devices.clear();
    openDevices();
    const double share = m_memoryShares.lessen(full.device(), m_devices.size());
    try {
        makePlan();
    } catch (const Error& error) {
        log::warning(error.message());
        return false;
    }
    if (m_feeder) m_feeder.emplace(*m_batcher, m_state.step, m_totalSteps);
    log::warning(fmt::format("{} The next plan: {}.", full.message(), m_plan.describe()));
    m_folder.note(runs::JournalEvent::kRemedy, m_state.step, {}, full.message());
    m_board.warning({RunText(RunTextCode::kTightened, m_devices[full.device().index()]->name(),
                             static_cast<int64_t>(std::lround(100 * share)))});
    if (m_announced) tellPlan();
    return true;
}

void Training::tellPlan() {
    session::RunPlan plan;
    plan.plan = m_plan;
    plan.lanes = m_lanes;
    plan.model = arch::outlineOf(m_modelSpec);
    for (const geometry::LayerLayout& layout : layouts()) {
        plan.layerNames.push_back(layout.spec.name);
        plan.layerBytes.push_back(layout.base.slotBytes);
    }
    plan.numTrainableParameters = m_model->numTrainedParameters();
    for (const auto& device : m_devices)
        plan.devices.push_back({device->name(), device->kind() == device::DeviceKind::kCuda, device->memoryBytes()});
    plan.numExamples = m_dataset->training().size();
    plan.numValidationExamples = m_dataset->validation().size();
    plan.numDroppedRows = static_cast<int64_t>(m_dataset->dropped().size());
    plan.totalSteps = m_totalSteps;
    plan.stepsDone = m_state.step;
    const batch::EpochDraws& draws = m_batcher->steps().draws();
    plan.tokensPerEpoch = std::llround(draws.tokensPerEpoch());
    plan.trainedTokensPerEpoch = std::llround(draws.trainedPerEpoch());
    m_folder.planned(plan);
    if (m_spec.output.saveTrace && !m_announced) {
        std::error_code none; // a run that begins has none to keep
        if (m_state.step > 0)
            std::filesystem::rename(m_folder.files().trace(), m_folder.files().earlierTrace(m_state.step), none);
        m_trace.beginFile(m_folder.files().trace(), m_lanes, session::aboutOf(m_spec, plan));
    }
    m_board.planReady(std::move(plan));
    m_announced = true;
}

void Training::announce() {
    followFolder();
    tellPlan();
    for (const session::SpecRemark& remark :
         session::remarksOn(m_spec, m_modelSpec.config.maxPositions, session::sourceOf({}, m_content),
                            m_folder.resumesFrom().has_value()))
        m_board.warning({remark.text});
    m_saver->warnOfLittleRoom();
}

// Tensors of the base that are trained hold what the run goes on from. One that is resumed has asked the base already.
bool Training::hasBase() const {
    return std::ranges::none_of(layouts(), &geometry::LayerLayout::trainsTensors) ||
           (m_state.step == 0 && m_spec.lora.initFrom.empty());
}

void Training::answerSamples(const std::vector<std::string>& prompts, bool tuned) {
    if (prompts.empty()) return;
    if (!tuned && !hasBase()) {
        if (m_state.step == 0) m_board.warning({RunText(RunTextCode::kBaseNotAsked)});
        return;
    }
    m_board.setState(RunState::kAnswering);
    m_pipeline.reset(); // a GPU may not hold the training buffers and a decoder at once
    constexpr int64_t kMaxNewTokens = 120;
    const data::DataOptions options = data::dataOptionsOf(m_spec);
    const std::vector<int32_t> stops = stopIdsOf(m_modelSpec.config, m_text->tokenizer);
    for (const std::string& prompt : prompts) {
        if (m_board.stopRequested()) break;
        report({Activity(ActivityCode::kAnswering, prompt)});
        const SessionSpan span(m_session, static_cast<int>(m_devices.size()), trace::Kind::kAnswer);
        std::string answer;
        try {
            const std::vector<int32_t> ids = encodeChat(*m_text, {}, prompt, options.templateArguments, options.now);
            requireFits(ids, m_modelSpec.config);
            generate::Decoder decoder(*m_model, *m_store, *m_devices[0],
                                      static_cast<int64_t>(ids.size()) + kMaxNewTokens, tuned);
            session::SamplingOptions sampling;
            sampling.maxNewTokens = kMaxNewTokens;
            const auto goOn = [this](const std::string&) { return !m_board.stopRequested(); };
            answer = generate::generateText(decoder, m_text->tokenizer, ids, stops, sampling, goOn).text;
        } catch (const Error& error) { // what is trained is worth more
            if (error.kind() != ErrorKind::kInvalidInput && error.kind() != ErrorKind::kUnsupported) throw;
            m_board.warning({RunText(RunTextCode::kPromptNotAnswered), RunText(RunTextCode::kAsSaid, error.message())});
            continue;
        }
        try {
            m_folder.appendAnswer({m_state.step, tuned, prompt, answer});
        } catch (const Error& error) { // as above
            warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kAnswerNotWritten), error);
        }
        m_board.sampleReady(prompt, answer, tuned);
    }
}

pipeline::Pipeline& Training::pipeline() {
    if (!m_pipeline) makePipeline();
    report(std::vector<Activity>());
    return *m_pipeline;
}

void Training::carryOutCommands() {
    if (!m_board.hasCommands()) return;
    m_saver->finishWriting(m_state);
    m_board.carryOutCommands({[this] {
                                  m_saver->saveLast(m_state);
                                  m_saver->finishWriting(m_state);
                              },
                              [this] { return validateNow(); },
                              [this](const std::vector<std::string>& prompts) { answerSamples(prompts, true); },
                              [this](int64_t fromNs, int64_t toNs) {
                                  m_session.put(trace::pauseOf(static_cast<int>(m_devices.size()), fromNs, toNs));
                              },
                              [this] { lookAtMachine(); }});
}

bool Training::train() {
    const int64_t firstStep = m_state.step;
    m_feeder.emplace(*m_batcher, m_state.step, m_totalSteps);
    for (;;) {
        if (!m_underWay) carryOutCommands();
        if (m_state.step == m_totalSteps || endsEarly() || m_board.stopRequested()) break;
        withinMemory([this] { trainStep(); });
        lookAtMachine();
    }
    m_saves = false;
    withinMemory([this] { // it had begun when the stop came
        if (m_underWay) finish(*std::exchange(m_underWay, std::nullopt));
    });
    log::info(fmt::format("waited {:.3f} s for data in all steps", m_feeder->secondsWaited()));
    if (const auto& scale = m_state.lossScale)
        log::info(fmt::format("{} of {} steps updated nothing; the loss scale is {} now", scale->skippedSteps,
                              m_state.step, scale->scale));
    m_feeder.reset();
    rememberTimes(firstStep + 1); // the first one warms up
    return m_state.step == m_totalSteps || endsEarly();
}

// The next step begins when the devices have computed this one, before the last layers are updated: by then it is known
// whether it should. One that reads no update of this one begins at once.
void Training::trainStep() {
    if (!m_underWay) m_underWay = begin(m_state.step);
    if (!isStale()) pipeline().awaitDevices(m_underWay->ticket);
    const StepUnderWay step = *std::exchange(m_underWay, std::nullopt);
    std::exception_ptr failure;
    m_saves = savesAfter(m_state.step + 1); // once: time goes on
    if (nothingIsDueAfter(m_state.step + 1)) {
        try {
            m_underWay = begin(m_state.step + 1);
        } catch (...) {
            failure = std::current_exception(); // this step is whole all the same, unless the pipeline has failed
        }
    }
    try {
        finish(step);
    } catch (...) {
        if (!failure) throw;
    }
    if (failure) std::rethrow_exception(failure);
}

bool Training::nothingIsDueAfter(int64_t step) const {
    return step < m_totalSteps && !m_board.stopRequested() && !m_board.hasCommands() && !evaluatesAfter(step) &&
           !m_saves;
}

bool Training::savesAfter(int64_t step) const {
    const int64_t every = m_spec.output.saveEverySteps;
    return step < m_totalSteps && ((every > 0 && step % every == 0) || m_saver->isDue());
}

Training::StepUnderWay Training::begin(int64_t step) {
    const double learningRate = m_schedule.at(step);
    return {pipeline().submit(m_feeder->next(), learningRate), learningRate};
}

session::StepMetrics Training::take(const StepUnderWay& step) {
    const pipeline::StepResult result = m_pipeline->await(step.ticket);
    session::StepMetrics metrics;
    metrics.learningRate = step.learningRate;
    m_state.step = step.ticket.step + 1;
    metrics.step = m_state.step;
    metrics.loss = std::isnan(result.loss) ? std::abs(result.loss) : result.loss; // "nan", whatever its sign
    metrics.gradNorm = result.gradNorm;
    metrics.tokens = result.tokens;
    metrics.trainedTokens = result.trainedTokens;
    metrics.seconds = result.seconds;
    metrics.lossScale = result.usedScale;
    metrics.skipped = result.skipped;
    if (result.lossScale) m_state.lossScale = result.lossScale;
    m_notFinite = result.notFinite;
    if (result.skipped && m_notFinite.empty())
        log::info(fmt::format("step {} was skipped: its gradients are too large for fp16 with a loss scale of {}",
                              m_state.step, result.usedScale));
    m_stepSeconds.push_back(result.seconds);
    return metrics;
}

void Training::finish(const StepUnderWay& step) {
    session::StepMetrics metrics = take(step);
    followFolder(); // before its line is written
    if (evaluatesAfter(m_state.step)) {
        m_board.setState(RunState::kEvaluating);
        metrics.validationLoss = evaluate();
    }
    writeDown(metrics); // before there is a checkpoint of this step: a run that goes on from that has its line
    if (metrics.validationLoss) {
        if (!m_saver->saveIfBest(*metrics.validationLoss, m_state)) ++m_state.validationsNotLower;
        m_board.setState(RunState::kTraining);
    }
    m_board.stepDone(metrics, m_batcher->steps().epochAt(m_state.step));
    if (endsEarly()) tellOfEarlyEnd();
    lookAt(metrics);
    if (m_saves && m_notFinite.empty()) m_saver->saveLast(m_state); // else it holds what was there before
}

// A save under way may go with the folder, or say that it could not.
void Training::followFolder() {
    if (m_folder.isInPlace()) return;
    m_saver->finishWriting(m_state);
    const std::optional<RunText> moved = m_folder.follow();
    if (!moved) return;
    m_spec.output.folder = m_folder.files().folder.string();
    m_board.warning({*moved});
    try {
        m_trace.goOnIn(m_folder.files().trace());
    } catch (const Error& error) {
        warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kTraceEndsEarly), error);
    }
}

// The kernel would end the process without a word; this end saves what was learned.
void Training::lookAtMachine() {
    followFolder();
    if (const int64_t slept = m_watch->takeSleptNs(); slept > 0) {
        const RunText text(RunTextCode::kMachineSlept, formatDuration(static_cast<double>(slept) / 1e9), m_state.step);
        m_folder.note(runs::JournalEvent::kRemedy, m_state.step, {}, text.text());
        m_board.warning({text});
    }
    const MemoryState trouble = m_watch->memory();
    if (trouble == MemoryState::kEnough) return;
    if (trouble == MemoryState::kOut)
        throw Error(ErrorKind::kOutOfMemory,
                    fmt::format("The machine's memory is used up: programs do little but wait for it, and {} are left "
                                "after step {}. The run ends before the system ends it.",
                                formatBytes(device::availableHostBytes()), m_state.step),
                    "What it has learned is saved. Close other programs and let it go on, or begin it with fewer or "
                    "shorter microbatches.");
    if (!std::exchange(m_toldOfMemory, true))
        m_board.warning({RunText(RunTextCode::kMemoryShort, formatBytes(device::availableHostBytes()))});
}

bool Training::endsEarly() const {
    const int64_t patience = m_spec.duration.earlyStop;
    return patience > 0 && m_state.validationsNotLower >= patience;
}

// The checkpoint says that it is over; who resumes a run that was killed before its results were there wants them, who
// continues it wants more steps.
void Training::goOnAfterEarlyEnd(bool trainsOn) {
    if (!endsEarly() || m_state.step == m_totalSteps) return;
    const RunTextCode code = trainsOn ? RunTextCode::kTrainsOn : RunTextCode::kEndedEarly;
    const RunText text(code, m_state.step, m_spec.duration.earlyStop);
    if (trainsOn) {
        m_state.validationsNotLower = 0;
        m_folder.note(runs::JournalEvent::kRemedy, m_state.step, {}, text.text());
    }
    m_board.warning({text});
}

void Training::tellOfEarlyEnd() {
    const RunText text(RunTextCode::kEndsEarly, m_state.validationsNotLower, m_state.step,
                       fmt::format("{:.4f}", m_state.bestValidationLoss.value_or(0)),
                       m_folder.files().bestCheckpoint().string());
    m_folder.note(runs::JournalEvent::kRemedy, m_state.step, m_folder.files().bestCheckpoint(), text.text());
    m_board.warning({text});
}

// A run that diverges costs what it takes until somebody looks.
void Training::lookAt(const session::StepMetrics& metrics) {
    const bool isFinite = m_notFinite.empty();
    if (!isFinite) {
        const RunText text(RunTextCode::kStepSkipped, metrics.step, m_notFinite);
        m_folder.note(runs::JournalEvent::kSkipped, metrics.step, {}, text.text());
        m_board.warning({text});
    } else if (metrics.skipped) {
        return; // for its loss scale: it says nothing of the run
    }
    const LossGuard::Trouble trouble = m_lossGuard.add(metrics.loss, isFinite);
    if (trouble == LossGuard::Trouble::kNone) return;
    if (trouble == LossGuard::Trouble::kNotFinite && !m_lossGuard.hasSeenNumbers()) requireWholeWeights();
    if (trouble == LossGuard::Trouble::kSpike)
        m_board.warning(
            {RunText(RunTextCode::kLossSpike, fmt::format("{:.4f}", m_lossGuard.usual()), LossGuard::kInARow)});
    if (m_spec.optimizer.whenDiverging == WhenDiverging::kRollBack) return rollBack();
    if (trouble == LossGuard::Trouble::kNotFinite)
        throw invalidInput(
            fmt::format("The loss or the gradients of {} steps in a row, up to step {}, are not finite (the last in "
                        "{}). Nothing was updated by them.",
                        LossGuard::kInARow, metrics.step, m_notFinite),
            m_store->adapters().operandType() == DType::kF16
                ? "The model has values beyond 65,504, where fp16 ends: train in bf16. Else use a smaller learning "
                  "rate; look at the rows of these steps."
                : "Use a smaller learning rate, or train in bf16; look at the rows of these steps. With "
                  "optimizer.when_diverging at roll-back a run goes on from its last checkpoint.");
}

// Neither another learning rate nor other rows help then.
void Training::requireWholeWeights() const {
    const std::string name = brokenTensor(*m_store);
    if (name.empty()) return;
    throw invalidInput(
        fmt::format("'{}' of the model in '{}' holds values that are no numbers (NaN or infinite), so no "
                    "loss can be one.",
                    name, m_spec.model.path),
        "Compare the model's files with those where it comes from, and copy or download them again.");
}

// Weights and moments go back, the step and with it the rows do not: the same ones would lead to the same end. The
// updates between count as skipped, as moments know nothing of them any more.
void Training::rollBack() {
    constexpr int32_t kMost = 3; // more say that it is not the rows
    m_saver->finishWriting(m_state);
    // What the first of these steps read may be what is wrong, so the step before it must have read something else.
    const int64_t lastGood = m_state.step - LossGuard::kInARow - 1;
    const auto found = runs::newestCheckpoint(m_folder.files(), runs::LookAt::kBytes, lastGood).newest;
    if (!found || m_rollBacks == kMost)
        throw invalidInput(fmt::format("The run diverged up to step {}, and {}.", m_state.step,
                                       found ? "did so again after it had gone back three times"
                                             : "there is no checkpoint of before to go back to"),
                           "Use a smaller learning rate; look at the rows of these steps.");
    ++m_rollBacks;
    m_underWay.reset();
    m_pipeline.reset();
    readWeights(found->folder);
    LossScale scale = m_state.lossScale.value_or(LossScale());
    const int64_t skippedBefore = found->state.lossScale ? found->state.lossScale->skippedSteps : 0;
    scale.skippedSteps = skippedBefore + m_state.step - found->state.step;
    m_state.lossScale = scale;
    m_lossGuard.forget();
    m_feeder.emplace(*m_batcher, m_state.step, m_totalSteps);
    const RunText text(RunTextCode::kRolledBack, m_state.step, found->state.step);
    m_folder.note(runs::JournalEvent::kRemedy, m_state.step, found->folder, text.text());
    m_board.warning({text});
}

void Training::writeDown(const session::StepMetrics& metrics) {
    try {
        m_folder.appendMetrics(metrics);
        m_writesMetrics = true;
    } catch (const Error& error) {
        if (std::exchange(m_writesMetrics, false)) // once, not with each step
            warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kCurvesNotWritten), error);
    }
}

bool Training::evaluatesAfter(int64_t step) const {
    if (m_dataset->validation().size() == 0 || m_board.discardRequested()) return false;
    const int64_t every =
        m_spec.output.evalEverySteps > 0 ? m_spec.output.evalEverySteps : m_batcher->steps().perEpoch();
    return step % every == 0 || step == m_totalSteps;
}

double Training::evaluate() {
    const auto batches = data::batchesInOrder(m_dataset->validation(), session::stepRulesOf(m_spec));
    return withinMemory([&] {
        pipeline::Pipeline& ready = pipeline();
        const SessionSpan span(m_session, static_cast<int>(m_devices.size()), trace::Kind::kEvaluate);
        return ready.evaluate(batches).loss;
    });
}

std::optional<double> Training::validateNow() {
    if (m_dataset->validation().size() == 0) return std::nullopt;
    const double loss = evaluate();
    m_saver->saveIfBest(loss, m_state);
    log::info(fmt::format("validation loss after step {}, as asked for: {}", m_state.step, loss));
    return loss;
}

void Training::rememberTimes(int64_t firstStep) {
    if (!m_memoryShares.areWhole() || m_stepSeconds.size() < 2) return; // parts by another plan, or all is warm-up
    plan::Rig rig = m_rig;
    for (std::size_t d = 0; d < m_devices.size(); ++d)
        rig.devices[d].name = m_devices[d]->name();
    keepTimes({m_spec, m_modelSpec, m_content, m_plan, std::move(rig), onGpusOnly(m_devices), m_stepSeconds,
               static_cast<int32_t>(firstStep)},
              m_trace);
}

void Training::saveResults() {
    followFolder();
    m_saver->saveResults(m_state);
}

// A step under way may have been updated before the pipeline failed: then the weights are those after it.
void Training::saveOnFailure(bool hangs) {
    if (!m_saver) return;
    if (m_underWay && m_pipeline && !hangs) try {
            const session::StepMetrics metrics = take(*std::exchange(m_underWay, std::nullopt));
            writeDown(metrics);
            m_board.stepDone(metrics, m_batcher->steps().epochAt(m_state.step));
        } catch (const std::exception&) { // it was not
        }
    m_underWay.reset();
    try {
        followFolder();
    } catch (const std::exception& error) { // as in saveOnFailure()
        log::warning(error.what());
    }
    m_saver->saveOnFailure(m_state);
}

void Training::saveTrace() {
    report(ActivityCode::kWritingTrace);
    m_pipeline.reset();
    m_watch.reset();
    m_devices.clear(); // their last records arrive
    try {
        if (const int64_t lacking = m_trace.endFile(); lacking > 0)
            m_board.warning({RunText(RunTextCode::kTraceLacks, lacking)});
    } catch (const Error& error) { // what was trained is worth more
        warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kTraceEndsEarly), error);
    }
}

} // namespace roundpipe::engine
