#include "engine/status_board.h"

#include <utility>

namespace roundpipe::engine {
namespace {

// The rate is a mean over this many steps: long enough to be calm, short enough to follow a change.
constexpr std::size_t kRateSteps = 20;

} // namespace

using session::RunEvent;

void StatusBoard::push(RunEvent event) {
    m_events.push_back(std::move(event));
}

void StatusBoard::setState(session::RunState state) {
    const std::scoped_lock lock(m_mutex);
    if (m_snapshot.state == state) return;
    m_snapshot.state = state;
    RunEvent event;
    event.kind = RunEvent::Kind::kStateChanged;
    event.state = state;
    push(std::move(event));
}

void StatusBoard::setActivity(std::string text) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.activity = std::move(text);
}

void StatusBoard::planReady(session::RunPlan plan) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.totalSteps = plan.totalSteps;
    RunEvent event;
    event.kind = RunEvent::Kind::kPlanReady;
    event.plan = std::make_shared<const session::RunPlan>(std::move(plan));
    push(std::move(event));
}

void StatusBoard::updateRate(const session::StepMetrics& metrics) {
    m_recent.push_back(metrics);
    // The first step pays for first touches and would mislead for long.
    if (m_recent.size() > kRateSteps || (m_recent.size() == 3 && m_recent.front().step == 1)) m_recent.pop_front();
    double tokens = 0;
    double seconds = 0;
    for (const session::StepMetrics& step : m_recent) {
        tokens += static_cast<double>(step.tokens);
        seconds += step.seconds;
    }
    if (seconds <= 0) return;
    m_snapshot.tokensPerSecond = tokens / seconds;
    const double secondsPerStep = seconds / static_cast<double>(m_recent.size());
    m_snapshot.remainingSeconds = secondsPerStep * static_cast<double>(m_snapshot.totalSteps - metrics.step);
}

void StatusBoard::stepDone(const session::StepMetrics& metrics, double epoch) {
    const std::scoped_lock lock(m_mutex);
    m_snapshot.step = metrics.step;
    m_snapshot.epoch = epoch;
    m_snapshot.last = metrics;
    updateRate(metrics);
    RunEvent event;
    event.kind = RunEvent::Kind::kStepDone;
    event.metrics = metrics;
    push(std::move(event));
}

void StatusBoard::checkpointSaved(const std::string& path) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event;
    event.kind = RunEvent::Kind::kCheckpointSaved;
    event.text = path;
    push(std::move(event));
}

void StatusBoard::sampleReady(const std::string& prompt, const std::string& answer, bool tuned) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event;
    event.kind = RunEvent::Kind::kSampleReady;
    event.prompt = prompt;
    event.text = answer;
    event.tuned = tuned;
    push(std::move(event));
}

void StatusBoard::warning(const std::string& text) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event;
    event.kind = RunEvent::Kind::kWarning;
    event.text = text;
    push(std::move(event));
}

void StatusBoard::failed(const Error& error) {
    const std::scoped_lock lock(m_mutex);
    RunEvent event;
    event.kind = RunEvent::Kind::kError;
    event.errorKind = error.kind();
    event.text = error.message();
    event.advice = error.advice();
    push(std::move(event));
}

session::Snapshot StatusBoard::snapshot() const {
    const std::scoped_lock lock(m_mutex);
    return m_snapshot;
}

std::vector<RunEvent> StatusBoard::takeEvents() {
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_events, {});
}

void StatusBoard::throwIfStopRequested() const {
    if (stopRequested()) throw Error(ErrorKind::kCancelled, "The run was stopped before its first step.");
}

} // namespace roundpipe::engine
