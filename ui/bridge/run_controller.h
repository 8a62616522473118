// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt: owns the engine, pulls from it thirty times a second, and tells the window in signals of values.
#pragma once

#include "session/engine.h"
#include "trace/store/lane_store.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

namespace roundpipe::ui::bridge {

// GUI thread only. Nothing here waits for the engine, except the destructor while a run is under way that would not go
// on without it.
class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(QObject* parent = nullptr);
    ~RunController() override; // stops a running engine and waits for it, unless its run goes on alone

    // Without an engine, start() is refused. Replacing one is allowed while it has no run under way.
    void setEngine(std::unique_ptr<session::Engine> engine);
    bool hasEngine() const { return m_engine != nullptr; }

    // A wrong spec ends in failed(). `earlier`: the steps before those that are done now, of a run that goes on.
    void start(session::RunJob job, std::vector<session::StepMetrics> earlier = {});
    // Shows a run that another process trains, by an engine that follows it, until the next start. No-op while one is
    // under way.
    void follow(std::unique_ptr<session::Engine> engine, session::RunJob job);
    bool isFollowed() const { return m_active != nullptr && m_active == m_followed.get(); } // the run on show
    // Whether the run under way goes on where this window is gone.
    bool goesOnAlone() const { return m_running && m_active->goesOnAlone(); }
    // Of a run that is over, all that is known; no-op while one is under way.
    void forget();
    // To the engine, which says what each means and answers by stateChanged() and the signals below.
    void pause() { send({Command::Kind::kPause}); }
    void resume() { send({Command::Kind::kResume}); }
    void saveNow() { send({Command::Kind::kSave}); }
    void validateNow() { send({Command::Kind::kValidate}); }
    void sampleNow(std::vector<std::string> prompts) { send({Command::Kind::kSample, std::move(prompts)}); }
    void stop() { send({Command::Kind::kStop}); }
    void stopAndDiscard() { send({Command::Kind::kStopAndDiscard}); }
    bool isRunning() const { return m_running; }

    const session::RunJob& job() const { return m_job; } // that was started last, whatever project is open now
    const session::Snapshot& snapshot() const { return m_snapshot; }
    std::shared_ptr<const session::RunPlan> plan() const { return m_plan; }
    std::optional<double> firstLoss() const { return m_firstLoss; } // of the run's first step that is known
    const std::vector<session::StepMetrics>& earlierSteps() const { return m_earlier; }
    std::optional<int64_t> savedStep() const { return m_savedStep; } // steps done when it last saved something
    const trace::LaneStore& store() const { return m_store; }        // changes only while traceChanged() is prepared
    // What devices are busy with just now: begun, not in the store yet; their ends mean nothing.
    const std::vector<trace::Record>& openSlices() const { return m_open; }
    void setTraceBudget(int64_t bytes); // of memory, for this run and the next; the oldest slices go to a file
    trace::TraceSnapshot traceSnapshot() { return m_store.snapshot(); }
    uint64_t numTraceRecordsDropped() const;

signals:
    void engineChanged();
    void started();   // a new run: forget the last one's curves
    void forgotten(); // there is no run any more
    void planReady(std::shared_ptr<const roundpipe::session::RunPlan> plan);
    void stateChanged(roundpipe::session::RunState state); // that it is over: all of its trace is in the store
    void stepDone(const roundpipe::session::StepMetrics& metrics);
    void validated(qint64 step, double loss); // because it was asked for
    void sampleReady(const roundpipe::session::RunEvent& sample);
    void saved(const roundpipe::session::RunEvent& saved);
    void warned(const roundpipe::session::RunEvent& warning);
    void failed(const QString& message, const QString& advice);
    void ticked();       // the snapshot is fresh
    void traceChanged(); // at most once a tick, however many records came; and each tick while slices are open

private:
    using Command = session::Command;
    void send(Command command);
    void tick();
    void pull();
    void pullTrace(bool goesOn);
    void clear();
    void begin(session::RunJob job, std::vector<session::StepMetrics> earlier);
    void handle(const session::RunEvent& event);

    std::unique_ptr<session::Engine> m_engine;   // that runs are started with
    std::unique_ptr<session::Engine> m_followed; // that of another process's run; nothing: none is on show
    session::Engine* m_active = nullptr;         // whichever of both has the run on show; nullptr: there was none
    QTimer m_timer;
    bool m_running = false;
    session::RunJob m_job;
    session::Snapshot m_snapshot;
    std::vector<session::StepMetrics> m_earlier;
    std::optional<double> m_firstLoss;
    std::optional<int64_t> m_savedStep;
    std::shared_ptr<const session::RunPlan> m_plan;
    int64_t m_startedNs = 0;
    trace::LaneStore m_store;
    int64_t m_traceBudget = trace::LaneStore::kUsualBudgetBytes;
    std::vector<trace::Record> m_batch;
    std::vector<trace::Record> m_open;
};

} // namespace roundpipe::ui::bridge
