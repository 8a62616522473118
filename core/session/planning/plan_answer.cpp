// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/plan_answer.h"

#include "base/error.h"
#include "plan/cost/measured_times.h"
#include "plan/program.h"
#include "plan/remedies/faster_step.h"
#include "plan/remedies/fixes.h"
#include "plan/search/explanation.h"
#include "plan/simulate/long_steps.h"
#include "session/spec/chosen_microbatches.h"
#include "session/spec/trainable_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace roundpipe::session {
namespace {

// `spec`: the question's, with its microbatches.
plan::ModelRequest requestOf(const PlanQuestion& question, const RunSpec& spec, const arch::ModelSpec& model,
                             const batch::StepContent& content, const plan::Rig& rig) {
    plan::ModelRequest request = planRequestOf(spec, model, rig, content);
    request.allowedWeights = question.otherWeights;
    if (!question.usesMeasured) request.profiles.clear();
    if (question.choosesMicrobatches) {
        request.sequencesPerStep = std::max<int64_t>(1, std::llround(content.average.examples));
        request.choosesMicrobatch = true;
        request.rounds = 0;
        request.usualMicrobatches = 0;
        request.training.averageSequences = 0;
        request.training.tokenLimit = 0;
    }
    return request;
}

std::vector<PlannedStage> stagesOf(const plan::Plan& plan, const plan::Costs& costs, int32_t numDevices) {
    std::vector<PlannedStage> all;
    for (const plan::Stage& stage : plan.stages()) {
        PlannedStage planned;
        planned.stage = stage;
        all.push_back(planned);
    }
    for (int32_t d = 0; d < numDevices; ++d)
        for (const plan::Slot& slot : plan::roundOn(plan, costs.firstTrainable, DeviceId(d)).slots)
            all[slot.stage.index()].devices.push_back(d);
    for (PlannedStage& planned : all) {
        const DeviceId first(planned.devices.empty() ? 0 : planned.devices.front());
        planned.seconds = stageSeconds(costs, planned.stage.kind, planned.stage.layers, first, plan.saving);
        for (int32_t l = planned.stage.layers.begin; l < planned.stage.layers.end; ++l) {
            const geometry::LayerSizes& sizes = costs.layers[static_cast<std::size_t>(l)];
            const bool resident = plan.isResident(first, l);
            planned.weightBytes += sizes.weights;
            planned.uploadBytes += sizes.adapterUp + (resident ? 0 : sizes.baseUp);
            planned.numResident += resident ? 1 : 0;
            // A forward stage saves nothing for itself.
            if (planned.stage.kind != plan::StageKind::kForward || plan.isOnHost(l))
                planned.saved.add(plan.savingOf(l));
        }
    }
    return all;
}

std::vector<PlannedLayer> layersOf(const plan::Costs& costs) {
    std::vector<PlannedLayer> layers;
    for (int32_t l = 0; l < costs.numLayers(); ++l) {
        const geometry::LayerSizes& sizes = costs.layers[static_cast<std::size_t>(l)];
        const auto seconds = [&](plan::StageKind kind) {
            return plan::stageSeconds(costs, kind, {l, l + 1}, DeviceId(0));
        };
        layers.push_back(
            {sizes.name, seconds(plan::StageKind::kForward), seconds(plan::StageKind::kBackward), sizes.weights});
    }
    return layers;
}

// A marker a step, from its first computation to its last record.
void markSteps(PredictedTimeline& timeline, const std::vector<int64_t>& starts, int32_t numDevices) {
    std::vector<trace::Record> markers(starts.size());
    for (std::size_t s = 0; s < markers.size(); ++s) {
        markers[s].kind = trace::Kind::kStep;
        markers[s].lane = trace::hostLane(numDevices, trace::LaneRole::kSession);
        markers[s].step = static_cast<int32_t>(s);
        markers[s].startNs = starts[s];
    }
    for (const trace::Record& record : timeline.records) {
        if (record.step < 0 || record.step >= std::ssize(markers)) continue; // what is loaded ahead for the next step
        int64_t& end = markers[static_cast<std::size_t>(record.step)].endNs;
        end = std::max(end, record.endNs);
    }
    timeline.records.insert(timeline.records.end(), markers.begin(), markers.end());
}

// Where the step begins that is as long as steps are in the mean: a rotation of slots has longer and shorter ones. Of
// two where steps flow into each other.
std::size_t usualStep(const std::vector<int64_t>& starts, std::size_t numShown, double stepSeconds) {
    const auto offBy = [&](std::size_t s) {
        const auto ns = static_cast<double>(starts[s + numShown] - starts[s]);
        return std::abs(1e-9 * ns - stepSeconds * static_cast<double>(numShown));
    };
    std::size_t best = numShown; // those before fill what is empty
    for (std::size_t s = best + 1; s + numShown < starts.size(); ++s)
        if (offBy(s) < offBy(best)) best = s;
    return best;
}

std::shared_ptr<const PredictedTimeline> timelineOf(const plan::ModelChoice& found, const plan::Rig& rig,
                                                    const plan::EngineAbilities& engine) {
    const std::size_t numShown = found.choice.shape.oneStepStale ? 2 : 1;
    plan::DispatchOptions options;
    options.numSteps = 6;
    options.firstMeasured = 1;
    options.activationsFirst = engine.activationsFirst;
    options.usesPeers = engine.peerCopies;
    options.keepsRecords = true;

    auto timeline = std::make_shared<PredictedTimeline>();
    std::vector<std::string> names;
    for (std::size_t d = 0; d < rig.devices.size(); ++d)
        names.push_back(fmt::format("{} {}", d, rig.devices[d].name));
    timeline->lanes = trace::makeLanes(names);
    timeline->records = plan::simulateStep(found.choice.plan, found.costs, rig, found.choice.shape, options).records;
    std::vector<int64_t> starts(static_cast<std::size_t>(options.numSteps), std::numeric_limits<int64_t>::max());
    for (const trace::Record& record : timeline->records) {
        const bool computes =
            record.lane.valid() && timeline->lanes[record.lane.index()].role == trace::LaneRole::kCompute;
        if (!computes || record.step < 0) continue;
        int64_t& start = starts[static_cast<std::size_t>(record.step)];
        start = std::min(start, record.startNs);
    }
    markSteps(*timeline, starts, rig.numDevices());
    const std::size_t shown = usualStep(starts, numShown, found.choice.step.stepSeconds);
    timeline->steadyFromNs = starts[shown];
    timeline->steadyToNs = starts[shown + numShown];
    return timeline;
}

// What is asked for by whoever makes changes in the run's settings.
class Followed {
public:
    explicit Followed(const PlanQuestion& question) : m_question(question) {}

    // With the fewest microbatches, where the run leaves them open, in the rounds that take the least: as
    // plan::Following.
    plan::ModelRequest operator()(const plan::ModelRequest& unchanged, std::span<const plan::Fix> fixes) const {
        std::vector<plan::Fix> others;
        const RunSpec spec = withLeastMemory(changed(fixes, others), unchanged.rig);
        return requestFor(spec, unchanged, others);
    }
    // With about as many as are chosen, where the run leaves them open; the rounds of a step in tokens are left to the
    // search that it is asked by.
    plan::ModelRequest asChosen(const plan::ModelRequest& unchanged, std::span<const plan::Fix> fixes,
                                const plan::SearchOptions& options) const {
        std::vector<plan::Fix> others;
        const RunSpec spec = changed(fixes, others);
        if (spec.batch.microbatches == 0 && spec.batch.tokensPerStep > 0) {
            plan::ModelRequest open = requestFor(withFewestMicrobatches(spec), unchanged, others);
            if (open.rounds > 1) open.rounds = 0;
            return open;
        }
        const plan::Rig rig = plan::withFixes(unchanged, others).rig;
        plan::SearchOptions asRun = options;
        asRun.engine = {};
        return requestFor(withAboutAsMany(spec, unchanged.model, rig, lengthsOf(spec.data), asRun), unchanged, others);
    }

private:
    // `others`: what no setting changes.
    RunSpec changed(std::span<const plan::Fix> fixes, std::vector<plan::Fix>& others) const {
        RunSpec spec = m_question.spec;
        spec.engine.forwardStages.clear();
        spec.engine.backwardStages.clear();
        for (const plan::Fix& fix : fixes)
            if (!apply(fix, spec)) others.push_back(fix);
        return spec;
    }
    plan::ModelRequest requestFor(const RunSpec& spec, const plan::ModelRequest& unchanged,
                                  const std::vector<plan::Fix>& others) const {
        return plan::withFixes(requestOf(m_question, spec, unchanged.model, contentOf(spec), unchanged.rig), others);
    }
    RunLengths lengthsOf(const DataSection& data) const {
        if (data.maxLength == m_question.spec.data.maxLength) return m_question.lengths;
        return cutTo(data, m_question.lengths);
    }
    // Counting examples takes far longer than the rest.
    const batch::StepContent& contentOf(const RunSpec& spec) const {
        const batch::StepRules& rules = spec.batch;
        const Key key = {spec.data.maxLength, rules.microbatchSize, rules.microbatches,
                         rules.rounds,        rules.tokensPerStep,  rules.microbatchTokens};
        auto found = m_contents.find(key);
        if (found == m_contents.end()) found = m_contents.emplace(key, stepContentOf(spec, lengthsOf(spec.data))).first;
        return found->second;
    }

    using Key = std::array<int64_t, 6>;
    const PlanQuestion& m_question;
    mutable std::map<Key, batch::StepContent> m_contents;
};

// One question on its way to an answer, what is quick first.
class Answering {
public:
    Answering(const PlanQuestion& question, const plan::Rig& rig, const AnswerCallback& progress, std::stop_token stop)
        : m_question(question), m_progress(progress) {
        m_model = arch::makeModelSpec(arch::readModelConfig(question.spec.model.path));
        m_options.stop = std::move(stop); // and an engine as it is, as whoever runs it chooses by
        requireFormatFor(m_model.config, question.spec.model.weights);
        for (const WeightFormat format : question.otherWeights)
            requireFormatFor(m_model.config, format);
        if (isOpen(question) && !question.otherWeights.empty())
            setRequestOfFormats(rig);
        else
            setRequest(question, rig);
        m_options.engine = question.engine;
        m_answer.model = arch::outlineOf(m_model);
        m_answer.refusals = refusalsOf(m_question.spec, m_model);
        m_answer.rig = m_request.rig;
        m_answer.choseMicrobatches = isOpen(question);
        m_answer.choseRounds = m_answer.choseMicrobatches && question.spec.batch.tokensPerStep > 0;
    }

    PlanAnswer run() {
        if (m_question.shown && !m_request.given) answerShown(*m_question.shown);
        m_answer.problem = {};
        std::optional<plan::Plan> smallest;
        const auto found = choose(m_request, m_answer.problem, m_options, &smallest);
        if (found) take(*found);
        if (smallest && m_question.showsSmallest) takeSmallest(*smallest);
        tell();
        if (found && m_question.wantsTimeline) {
            m_answer.timeline = timelineOf(*found, m_request.rig, m_options.engine);
            tell();
        }
        if (found) seekRounds(*found);
        const bool seeks = m_request.given && m_question.seeksBetter;
        if (seeks) seekBetter();
        const bool nothingFits = !m_answer.problem.empty() && !m_answer.better;
        if (nothingFits && (!found || seeks)) seekRemedies();
        if (found && m_question.compares && plan::isReplayedWhole(found->choice.shape, found->choice.plan)) {
            tell();
            m_answer.rivals = plan::compareSchedules(m_request.rig, found->costs, found->choice, m_options);
        }
        return m_answer;
    }

private:
    // Whether microbatches are chosen as a run's are that leaves them open.
    static bool isOpen(const PlanQuestion& question) {
        return question.spec.batch.microbatches == 0 && !question.choosesMicrobatches;
    }
    void setRequest(const PlanQuestion& question, const plan::Rig& rig) {
        const bool saysStep = question.choosesMicrobatches && question.spec.batch.tokensPerStep > 0;
        const RunSpec spec = saysStep ? withFewestMicrobatches(question.spec) // all of them are tried anyway
                                      : withMicrobatches(question.spec, m_model, rig, question.lengths, m_options);
        const batch::StepContent content = stepContentOf(spec, question.lengths);
        m_request = requestOf(question, spec, m_model, content, rig);
        m_answer.lengthsFrom = sourceOf(question.lengths, content);
        if (question.spec.batch.microbatchSize == 0) m_answer.microbatchSize = spec.batch.microbatchSize;
    }
    // Each format with the microbatches that a run in it would have; where none fits, all have those of the one with
    // the most bits.
    void setRequestOfFormats(const plan::Rig& rig) {
        std::vector<WeightFormat> formats{m_question.spec.model.weights};
        formats.insert(formats.end(), m_question.otherWeights.begin(), m_question.otherWeights.end());
        formats = plan::mostBitsFirst(std::move(formats));
        std::vector<plan::ModelChoice> found;
        std::vector<std::tuple<plan::ModelRequest, LengthsSource, int64_t>> asked, fitting;
        for (const WeightFormat format : formats) {
            PlanQuestion alone = m_question;
            alone.otherWeights.clear();
            alone.spec.model.weights = format;
            setRequest(alone, rig);
            asked.emplace_back(m_request, m_answer.lengthsFrom, m_answer.microbatchSize);
            plan::Misfit ignored;
            if (auto choice = choose(m_request, ignored, m_options)) {
                found.push_back(*std::move(choice));
                fitting.push_back(asked.back());
            }
        }
        std::tie(m_request, m_answer.lengthsFrom, m_answer.microbatchSize) =
            found.empty() ? asked.front() : fitting[plan::preferred(found)];
        if (found.empty()) m_request.allowedWeights.assign(formats.begin() + 1, formats.end());
    }

    void tell() const {
        if (m_progress) m_progress(m_answer);
    }
    plan::ModelRequest withoutStages() const {
        plan::ModelRequest request = m_request;
        request.given.reset();
        return request;
    }

    // Nothing where nothing fits, which `problem` then says, of the plan that takes the least memory.
    std::optional<plan::ModelChoice> choose(const plan::ModelRequest& request, plan::Misfit& problem,
                                            const plan::SearchOptions& options,
                                            std::optional<plan::Plan>* smallest = nullptr) const {
        try {
            return plan::chooseForModel(request, options);
        } catch (const plan::DoesNotFit& error) {
            problem = error.misfit();
            if (smallest != nullptr) *smallest = error.smallest();
            return std::nullopt;
        }
    }

    // Bars and times of the cuts that are on show. That they can't be had any more is no problem: a search follows.
    void answerShown(const plan::Plan& shown) {
        int32_t numDevices = 0;
        for (const DeviceId device : shown.deviceTable)
            numDevices = std::max(numDevices, device.value + 1);
        if (shown.numLayers != static_cast<int32_t>(m_request.model.layers.size()) ||
            numDevices != m_request.rig.numDevices())
            return;
        plan::ModelRequest request = m_request;
        request.given = shown;
        plan::Misfit ignored;
        std::optional<plan::ModelChoice> found;
        try {
            found = choose(request, ignored, m_options);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::kInvalidInput) throw;
        }
        if (!found) return;
        take(*found);
        m_answer.problem = plan::misfitOf(found->choice, m_request.rig);
        tell();
    }

    // The reason and the memories on show are of one plan.
    void takeSmallest(const plan::Plan& smallest) {
        plan::ModelRequest request = m_request;
        request.given = smallest;
        plan::SearchOptions asItIs = m_options;
        asItIs.engine.residency = false; // nothing more stays than the least
        const plan::ModelChoice found = plan::chooseForModel(request, asItIs);
        take(found);
        m_answer.explanation.clear();
        m_answer.problem.shortfalls = plan::misfitOf(found.choice, m_request.rig).shortfalls;
    }

    void take(const plan::ModelChoice& found) {
        m_answer.hasPlan = true;
        m_answer.training = found.training;
        m_answer.choice = found.choice;
        m_answer.layers = layersOf(found.costs);
        m_answer.stages = stagesOf(found.choice.plan, found.costs, m_request.rig.numDevices());
        m_answer.tokensPerStep = std::llround(found.tokensPerStep());
        m_answer.tokensPerSecond = found.tokensPerSecond;
        if (!m_request.profiles.empty()) {
            const auto measured =
                plan::loadMeasured(m_request.model, found.training, m_request.rig, m_request.profiles);
            m_answer.timesFrom = plan::describe(measured, m_request.rig);
            m_answer.isMeasured = !measured.empty();
        }
        if (m_request.given)
            m_answer.problem = plan::misfitOf(found.choice, m_request.rig);
        else
            m_answer.explanation = plan::explain(found, m_request.rig, m_options);
    }

    void seekBetter() {
        plan::Misfit noneFits;
        const auto found = choose(withoutStages(), noneFits, m_options);
        if (!found || (m_answer.problem.empty() && found->tokensPerSecond <= m_answer.tokensPerSecond)) return;
        m_answer.better = {found->choice.plan, found->choice.step.stepSeconds, found->tokensPerSecond};
        tell();
    }

    // Settings before what must be bought: several of them where none alone is enough, or where that spares what hurts.
    void seekRemedies() {
        const plan::ModelRequest request = withoutStages();
        m_answer.fixes = plan::smallestFixes(request, m_options, std::cref(m_following));
        m_answer.together = seekCombination(request);
        for (plan::Fix& fix : m_answer.fixes)
            setSpeedOfFollowing({&fix, 1});
        setSpeedOfFollowing(m_answer.together);
        seekFaster(request);
    }

    // The smallest change that is enough is seldom the fastest one that costs nothing else.
    void seekFaster(const plan::ModelRequest& request) {
        constexpr double kWorthwhile = 1.05;
        double best = 0;
        for (const plan::Fix& fix : m_answer.fixes)
            if (plan::keepsResults(fix.kind)) best = std::max(best, fix.tokensPerSecond);
        if (best == 0 || m_answer.choseMicrobatches) return;
        std::vector<plan::Fix> fastest = plan::fastestOfSameStep(request, m_options, std::cref(m_following));
        setSpeedOfFollowing(fastest);
        if (fastest.empty() || fastest.front().tokensPerSecond < kWorthwhile * best) return;
        const auto same = std::ranges::find(m_answer.fixes, fastest.front().kind, &plan::Fix::kind);
        if (fastest.size() == 1 && same != m_answer.fixes.end())
            *same = fastest.front();
        else
            m_answer.together = std::move(fastest);
    }

    std::vector<plan::Fix> seekCombination(const plan::ModelRequest& request) const {
        const auto seek = [&](plan::Among among) {
            return plan::smallestCombination(request, among, m_options, std::cref(m_following));
        };
        if (std::ranges::any_of(m_answer.fixes, plan::keepsResults, &plan::Fix::kind)) return {};
        std::vector<plan::Fix> together = seek(plan::Among::kSettings);
        if (m_answer.fixes.empty() && together.empty()) return seek(plan::Among::kEverything);
        if (together.empty()) return seekBitsAndMemory(request);
        return plan::isBeside(together, m_answer.fixes) ? together : std::vector<plan::Fix>();
    }

    // Where no setting helps, a base that is rounded may spare most of the memory that must be bought.
    std::vector<plan::Fix> seekBitsAndMemory(const plan::ModelRequest& request) const {
        const auto memory = std::ranges::find(m_answer.fixes, plan::FixKind::kHostMemory, &plan::Fix::kind);
        if (memory == m_answer.fixes.end() || std::ranges::any_of(m_answer.fixes, plan::isSetting, &plan::Fix::kind))
            return {};
        return plan::bitsAndLessMemory(request, *memory, m_options, std::cref(m_following));
    }

    // Whoever follows them has the number of microbatches that is then chosen, where the run leaves it open: they were
    // tried with the fewest. A part of the effort is enough to say how fast that is at least: all of it may find a plan
    // that is a hundredth slower, as what replays least of a step is no better known; and of steps that are open not
    // the fastest is taken, but one that larger ones are not clearly faster than.
    void setSpeedOfFollowing(std::span<plan::Fix> fixes) const {
        const batch::StepRules& batch = m_question.spec.batch;
        const bool isOpen = batch.microbatches == 0 && batch.tokensPerStep == 0;
        const double surely = isOpen ? 0.95 : 0.98;
        if (fixes.empty()) return;
        plan::SearchOptions quick = m_options;
        quick.effort /= 8;
        const plan::ModelRequest request = m_following.asChosen(withoutStages(), fixes, quick);
        plan::Misfit ignored;
        const auto found = choose(request, ignored, quick);
        for (plan::Fix& fix : fixes)
            if (found) fix.tokensPerSecond = plan::roundedDown(surely * found->tokensPerSecond);
    }

    // The same step in other rounds, where the run says how many microbatches it has.
    void seekRounds(const plan::ModelChoice& found) {
        if (m_answer.choseMicrobatches || m_request.given || !m_answer.problem.empty()) return;
        m_answer.faster = plan::fasterRounds(m_request, found, m_options);
        if (m_answer.faster) m_answer.faster->tokensPerSecond = plan::roundedDown(m_answer.faster->tokensPerSecond);
    }

    const PlanQuestion& m_question;
    const AnswerCallback& m_progress;
    arch::ModelSpec m_model;
    plan::ModelRequest m_request;
    plan::SearchOptions m_options;
    PlanAnswer m_answer;
    Followed m_following{m_question};
};

} // namespace

RunSpec asPlanned(RunSpec spec, const PlanAnswer& answer) {
    if (spec.batch.microbatches > 0 || !answer.hasPlan) return spec;
    spec.batch.microbatches = answer.choice.shape.roundSize;
    if (spec.batch.microbatchSize == 0) spec.batch.microbatchSize = answer.microbatchSize;
    if (spec.batch.tokensPerStep == 0) spec.batch.rounds = answer.choice.shape.rounds;
    return spec;
}

std::optional<double> wholeSecondsOf(const RunSpec& spec, const PlanAnswer& answer, const RunLengths& lengths) {
    if (!answer.hasPlan) return std::nullopt;
    const int64_t total = stepsOf(asPlanned(spec, answer), lengths).total;
    return total == 0 ? std::nullopt : std::optional(static_cast<double>(total) * answer.choice.step.stepSeconds);
}

std::string planKeyOf(RunSpec spec) {
    const OptimizerSection optimizer = std::exchange(spec.optimizer, {});
    spec.optimizer.moments = optimizer.moments;
    spec.optimizer.updates = optimizer.updates;
    spec.duration = {};
    spec.output = {};
    spec.name.clear();
    spec.seed = 0;
    spec.lora.alpha = 0;
    return toJson(spec);
}

PlanAnswer answer(const PlanQuestion& question, const plan::Rig& rig, const AnswerCallback& progress,
                  std::stop_token stop) {
    validate(question.spec, false);
    return Answering(question, rig, progress, std::move(stop)).run();
}

} // namespace roundpipe::session
