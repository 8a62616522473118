// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/workbench_controller.h"

#include "ui/bridge/tick.h"

namespace roundpipe::ui::bridge {
namespace {

bool isUnderWay(session::WorkbenchState state) {
    using session::WorkbenchState;
    return state == WorkbenchState::kOpening || state == WorkbenchState::kReading;
}

} // namespace

WorkbenchController::WorkbenchController(std::unique_ptr<session::Workbench> workbench, QObject* parent)
    : QObject(parent), m_workbench(std::move(workbench)) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &WorkbenchController::tick);
}

void WorkbenchController::open(const session::RunSpec& spec) {
    m_workbench->open(spec);
    m_isOpen = true;
    m_numExpected = 0; // what was asked of the dataset before is never answered
    m_status = {};
    m_status.state = session::WorkbenchState::kOpening;
    m_timer.start();
    emit statusChanged();
}

void WorkbenchController::forget() {
    m_workbench->cancel();
    m_isOpen = false;
    m_numExpected = 0;
    m_status = {};
    emit statusChanged();
}

uint64_t WorkbenchController::requestFiles() {
    return expect(m_workbench->requestFiles());
}

uint64_t WorkbenchController::requestRows(session::RowPlace first, int64_t count) {
    return expect(m_workbench->requestRows(first, count));
}

uint64_t WorkbenchController::requestVerdicts(session::RowPlace first, int64_t count) {
    return expect(m_workbench->requestVerdicts(first, count));
}

uint64_t WorkbenchController::requestLens(session::RowPlace place) {
    return expect(m_workbench->requestLens(place));
}

uint64_t WorkbenchController::requestSearch(const std::string& text, bool anew) {
    return expect(m_workbench->requestSearch(text, anew));
}

uint64_t WorkbenchController::expect(uint64_t request) {
    ++m_numExpected;
    m_timer.start();
    return request;
}

void WorkbenchController::tick() {
    if (!m_isOpen) return m_timer.stop();
    m_status = m_workbench->status();
    const std::vector<session::WorkbenchResult> results = m_workbench->takeResults();
    m_numExpected -= static_cast<int64_t>(results.size()); // first: who hears of one may open another dataset
    for (const session::WorkbenchResult& result : results)
        emit answered(result);
    if (!isUnderWay(m_status.state) && m_numExpected == 0) m_timer.stop();
    emit statusChanged();
}

} // namespace roundpipe::ui::bridge
