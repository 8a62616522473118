// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/status_board.h"

#include "base/median.h"
#include "base/units.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace roundpipe::session {
namespace {

// The rate is a mean over this many steps: long enough to be calm, short enough to follow a change.
constexpr std::size_t kRateSteps = 20;
constexpr std::size_t kFewestForError = 5; // steps whose scatter says something

bool isUnderWay(RunState state) {
    return state != RunState::kIdle && !isOver(state);
}

// The standard error of so many more steps, guessed from their median: each of them scatters, and the median of few is
// itself off by the same part for all of them. The scatter is that of the middle half, so that one stumble counts
// little.
double errorOf(const std::vector<double>& seconds, double median, int64_t stepsLeft) {
    std::vector<double> distances;
    for (const double step : seconds)
        distances.push_back(std::abs(step - median));
    const double scatter = 1.4826 * medianOf(std::move(distances)); // of a normal distribution: its standard deviation
    const auto left = static_cast<double>(stepsLeft);
    const double ofMedian = 1.2533 * left / std::sqrt(static_cast<double>(seconds.size()));
    return scatter * std::sqrt(left + ofMedian * ofMedian);
}

void say(RunEvent& event, std::vector<RunText> sentences) {
    for (const RunText& sentence : sentences)
        event.text += (event.text.empty() ? "" : " ") + sentence.text();
    event.coded = std::move(sentences);
}

} // namespace

void StatusBoard::push(RunEvent event) {
    m_events.push_back(std::move(event));
}

RunEvent StatusBoard::eventOf(RunEvent::Kind kind) const {
    RunEvent event;
    event.kind = kind;
    event.step = m_snapshot.step;
    return event;
}

void StatusBoard::enter(RunState state) {
    if (m_snapshot.state == state) return;
    m_elapsedSeconds = elapsedSeconds();
    m_clockStartNs = isUnderWay(state) && state != RunState::kPaused ? steadyNowNs() : 0;
    const int64_t nowNs = steadyNowNs();
    if (m_snapshot.state == RunState::kAnswering && m_stepDoneNs == 0)
        m_answeringSeconds += static_cast<double>(nowNs - m_stateSinceNs) * 1e-9;
    m_stateSinceNs = nowNs;
    m_snapshot.state = state;
    if (isOver(state) || state == RunState::kStopping) m_snapshot.isPaused = false;
    if (isOver(state)) {
        refuseCommands();
        m_snapshot.activities.clear();
    }
    // When a stop will be done depends on the running step alone.
    if (isOver(state) || state == RunState::kStopping) {
        m_snapshot.remainingSeconds.reset();
        m_snapshot.remainingErrorSeconds.reset();
    }
    RunEvent event = eventOf(RunEvent::Kind::kStateChanged);
    event.state = state;
    push(std::move(event));
}

// What came after the last moment at which it could be carried out. Whoever stops a run wants nothing else of it.
void StatusBoard::refuseCommands() {
    for (const Command& command : std::exchange(m_commands, {}))
        if (command.kind != Command::Kind::kResume) warn({RunText(RunTextCode::kTooLate, spellingOf(command.kind))});
}

void StatusBoard::setState(RunState state) {
    const std::scoped_lock lock(m_mutex);
    if (m_stop == Stop::kNone || isOver(state)) enter(state);
}

void StatusBoard::setPaused(bool isPaused) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.isPaused = isPaused && m_stop == Stop::kNone;
}

void StatusBoard::setActivities(std::vector<Activity> activities) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.activities = std::move(activities);
}

void StatusBoard::setMachine(MachineStatus machine) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.machine = std::move(machine);
}

void StatusBoard::planReady(RunPlan plan) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.totalSteps = plan.totalSteps;
    m_snapshot.step = plan.stepsDone;
    RunEvent event = eventOf(RunEvent::Kind::kPlanReady);
    event.plan = std::make_shared<const RunPlan>(std::move(plan));
    push(std::move(event));
}

void StatusBoard::updateRate(const StepMetrics& metrics) {
    m_recent.push_back(metrics);
    // The first step pays for first touches and would mislead for long.
    if (m_recent.size() > kRateSteps || (m_recent.size() == 3 && m_recent.front().step == 1)) m_recent.pop_front();
    double tokens = 0;
    double seconds = 0;
    for (const StepMetrics& step : m_recent) {
        tokens += static_cast<double>(step.tokens);
        seconds += step.seconds;
    }
    if (seconds <= 0) return;
    m_snapshot.tokensPerSecond = tokens / seconds;
}

// Steps as long as the median of recent ones, the share of validations and the like that each has brought so far, and
// the prompts after the last one.
void StatusBoard::updateRemaining(const StepMetrics& metrics) {
    const int64_t nowNs = steadyNowNs();
    if (m_stepDoneNs > 0) {
        const double between = static_cast<double>(nowNs - m_stepDoneNs - m_obeyedNs) * 1e-9 - metrics.seconds;
        m_betweenSeconds += std::max(0.0, between);
        ++m_numBetween;
    }
    m_stepDoneNs = nowNs;
    m_obeyedNs = 0;
    std::vector<double> seconds;
    for (const StepMetrics& step : m_recent)
        seconds.push_back(step.seconds);
    const double middle = medianOf(seconds);
    const int64_t left = m_snapshot.totalSteps - metrics.step;
    const double between = m_numBetween > 0 ? m_betweenSeconds / static_cast<double>(m_numBetween) : 0;
    m_snapshot.remainingSeconds = (middle + between) * static_cast<double>(left) + m_answeringSeconds;
    if (seconds.size() >= kFewestForError) m_snapshot.remainingErrorSeconds = errorOf(seconds, middle, left);
}

void StatusBoard::stepDone(const StepMetrics& metrics, double epoch) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.step = metrics.step;
    m_snapshot.epoch = epoch;
    m_snapshot.last = metrics;
    updateRate(metrics);
    if (m_stop == Stop::kNone) updateRemaining(metrics);
    RunEvent event = eventOf(RunEvent::Kind::kStepDone);
    event.metrics = metrics;
    push(std::move(event));
}

void StatusBoard::validated(std::optional<double> loss) {
    const std::scoped_lock lock(m_mutex);
    if (!loss) return warn({RunText(RunTextCode::kNoValidationRows)});
    RunEvent event = eventOf(RunEvent::Kind::kValidated);
    event.validationLoss = *loss;
    push(std::move(event));
}

void StatusBoard::checkpointSaved(const std::string& path, int64_t step) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event = eventOf(RunEvent::Kind::kCheckpointSaved);
    event.step = step;
    event.text = path;
    push(std::move(event));
}

void StatusBoard::checkpointSaved(const RunText& insteadOfPath) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event = eventOf(RunEvent::Kind::kCheckpointSaved);
    say(event, {insteadOfPath});
    push(std::move(event));
}

void StatusBoard::sampleReady(const std::string& prompt, const std::string& answer, bool tuned) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event = eventOf(RunEvent::Kind::kSampleReady);
    event.prompt = prompt;
    event.text = answer;
    event.tuned = tuned;
    push(std::move(event));
}

void StatusBoard::sampleReady(const std::string& prompt, const RunText& insteadOfAnswer, bool tuned) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event = eventOf(RunEvent::Kind::kSampleReady);
    event.prompt = prompt;
    event.tuned = tuned;
    say(event, {insteadOfAnswer});
    push(std::move(event));
}

void StatusBoard::warn(std::vector<RunText> sentences) {
    RunEvent event = eventOf(RunEvent::Kind::kWarning);
    say(event, std::move(sentences));
    push(std::move(event));
}

void StatusBoard::warning(std::vector<RunText> sentences) {
    const std::scoped_lock lock(m_mutex);
    warn(std::move(sentences));
}

void StatusBoard::failed(const Error& error) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event = eventOf(RunEvent::Kind::kError);
    event.errorKind = error.kind();
    event.text = error.message();
    event.advice = error.advice();
    push(std::move(event));
}

void StatusBoard::send(Command command) {
    using Kind = Command::Kind;
    const std::scoped_lock lock(m_mutex);
    if (!isUnderWay(m_snapshot.state)) return;
    if (command.kind == Kind::kStop || command.kind == Kind::kStopAndDiscard) {
        if (m_stop != Stop::kAndDiscard) m_stop = command.kind == Kind::kStop ? Stop::kAndSave : Stop::kAndDiscard;
        m_commands.clear();
        enter(RunState::kStopping);
    } else if (m_stop == Stop::kNone) {
        m_commands.push_back(std::move(command));
    }
    m_told.notify_all();
}

std::optional<Command> StatusBoard::nextCommand(bool waitForOne, const std::function<void()>& look) {
    std::unique_lock lock(m_mutex);
    const auto isTold = [this] { return m_stop != Stop::kNone || !m_commands.empty(); };
    while (waitForOne && !m_told.wait_for(lock, std::chrono::seconds(1), isTold)) {
        if (!look) continue;
        lock.unlock();
        look();
        lock.lock();
    }
    if (m_commands.empty()) return std::nullopt; // a stop has dropped them
    Command command = std::move(m_commands.front());
    m_commands.pop_front();
    return command;
}

bool StatusBoard::hasCommands() const {
    const std::scoped_lock lock(m_mutex);
    return !m_commands.empty();
}

void StatusBoard::carryOutCommands(const Actions& actions) {
    const int64_t fromNs = steadyNowNs();
    const RunState before = snapshot().state;
    bool paused = false;
    const auto next = [&] {
        const int64_t restsFromNs = steadyNowNs();
        auto command = nextCommand(paused, actions.look);
        if (paused && actions.rested) actions.rested(restsFromNs, steadyNowNs());
        return command;
    };
    while (const auto command = next()) {
        switch (command->kind) {
        case Command::Kind::kPause:
            paused = true;
            break;
        case Command::Kind::kSave:
            setState(RunState::kSaving);
            actions.save();
            break;
        case Command::Kind::kValidate:
            setState(RunState::kEvaluating);
            validated(actions.validate());
            break;
        case Command::Kind::kSample:
            setState(RunState::kAnswering);
            actions.sample(command->prompts);
            break;
        case Command::Kind::kResume:
        case Command::Kind::kStop: // never queued
        case Command::Kind::kStopAndDiscard:
            paused = false;
            break;
        }
        setActivities({});
        setPaused(paused);
        setState(paused ? RunState::kPaused : before);
    }
    const std::scoped_lock lock(m_mutex);
    m_obeyedNs += steadyNowNs() - fromNs;
}

bool StatusBoard::stopRequested() const {
    const std::scoped_lock lock(m_mutex);
    return m_stop != Stop::kNone;
}

bool StatusBoard::discardRequested() const {
    const std::scoped_lock lock(m_mutex);
    return m_stop == Stop::kAndDiscard;
}

void StatusBoard::throwIfStopRequested() const {
    if (stopRequested()) throw Error(ErrorKind::kCancelled, "The run was stopped before its first step.");
}

double StatusBoard::elapsedSeconds() const {
    if (m_clockStartNs == 0) return m_elapsedSeconds;
    return m_elapsedSeconds + static_cast<double>(steadyNowNs() - m_clockStartNs) * 1e-9;
}

Snapshot StatusBoard::snapshot() const {
    const std::scoped_lock lock(m_mutex);
    Snapshot snapshot = m_snapshot;
    snapshot.elapsedSeconds = elapsedSeconds();
    for (const Command& command : m_commands)
        snapshot.pending.push_back(command.kind);
    return snapshot;
}

std::vector<RunEvent> StatusBoard::takeEvents() {
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_events, {});
}

} // namespace roundpipe::session
