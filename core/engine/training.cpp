// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/training.h"

#include "base/error.h"
#include "base/log.h"

#include <exception>
#include <utility>

namespace roundpipe::engine {

using session::Activity;
using session::ActivityCode;
using session::RunText;
using session::RunTextCode;

namespace {

constexpr std::size_t kSessionCapacity = 1 << 8; // a few validations and answers between two drains

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
