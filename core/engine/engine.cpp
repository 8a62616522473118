// SPDX-License-Identifier: GPL-3.0-or-later
// session::Engine on this machine: a run in a background thread.
#include "engine/engine.h"

#include "base/error.h"
#include "base/log.h"
#include "device/device_hung.h"
#include "engine/run.h"
#include "session/run/status_board.h"

#include <exception>
#include <new>
#include <thread>
#include <vector>

namespace roundpipe::engine {
namespace {

using session::RunState;

void keepForGood(const std::shared_ptr<trace::Recorder>& recorder) {
    static std::vector<std::shared_ptr<trace::Recorder>>& kept = *new std::vector<std::shared_ptr<trace::Recorder>>;
    kept.push_back(recorder);
}

class LocalEngine final : public session::Engine {
public:
    explicit LocalEngine(device::OnSpan onSpan) : m_onSpan(std::move(onSpan)) {}
    ~LocalEngine() override {
        requestStop();
        LocalEngine::wait();
    }

    void start(session::RunJob job) override {
        session::validate(job);
        if (m_running.exchange(true)) throw Error(ErrorKind::kInternal, "A run is under way already.");
        LocalEngine::wait();
        m_board = std::make_shared<session::StatusBoard>();
        m_trace.reset();
        m_recorder = std::make_shared<trace::Recorder>();
        m_trace = std::make_unique<RunTrace>(*m_recorder);
        m_board->setState(RunState::kPreparing);
        m_thread = std::thread([this, job = std::move(job)] { runGuarded(job); });
    }

    void send(session::Command command) override { m_board->send(std::move(command)); }

    void wait() override {
        if (m_thread.joinable()) m_thread.join();
    }

    session::Snapshot snapshot() const override { return m_board->snapshot(); }
    std::vector<session::RunEvent> takeEvents() override { return m_board->takeEvents(); }
    void takeTrace(std::vector<trace::Record>& out) override {
        if (m_trace) m_trace->take(out);
    }
    std::vector<trace::Record> openSlices() const override {
        return m_trace ? m_trace->openSlices() : std::vector<trace::Record>();
    }
    uint64_t numTraceRecordsDropped() const override { return m_trace ? m_trace->numDropped() : 0; }

private:
    // The top of the run's thread: whatever happens becomes a state and, where it is an error, an event.
    void runGuarded(const session::RunJob& job) {
        RunState end = RunState::kFailed;
        try {
            end = run(job, *m_board, *m_recorder, *m_trace, m_onSpan);
        } catch (const device::DeviceHung& error) {
            m_board->failed(error);
            keepForGood(m_recorder); // what hangs may still write into it
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kCancelled)
                end = RunState::kStopped;
            else
                m_board->failed(error);
        } catch (const std::bad_alloc&) {
            m_board->failed(
                {ErrorKind::kOutOfMemory, "The host's memory ran out.", "Use a smaller model, microbatch or length."});
        } catch (const std::exception& error) {
            m_board->failed(
                {ErrorKind::kInternal, error.what(), "This is a bug in RoundPipe Studio; please report it."});
        }
        m_trace->flush(); // what ended the run is in the trace before anybody sees that it is over
        try {
            m_trace->endFile(); // of a run that failed or was stopped early
        } catch (const Error& error) {
            log::warning(error.message());
        }
        m_running.store(false);
        m_board->setState(end);
    }

    device::OnSpan m_onSpan;
    std::shared_ptr<session::StatusBoard> m_board = std::make_shared<session::StatusBoard>();
    std::shared_ptr<trace::Recorder> m_recorder;
    std::unique_ptr<RunTrace> m_trace; // after the recorder that it empties
    std::atomic<bool> m_running{false};
    std::thread m_thread;
};

} // namespace

std::unique_ptr<session::Engine> makeEngine(device::OnSpan onSpan) {
    return std::make_unique<LocalEngine>(std::move(onSpan));
}

} // namespace roundpipe::engine
