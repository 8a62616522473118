// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/export_controller.h"

#include "ui/bridge/tick.h"

#include <utility>
#include <variant>

namespace roundpipe::ui::bridge {

ExportController::ExportController(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &ExportController::tick);
}

void ExportController::setExporter(std::unique_ptr<session::Exporter> exporter) {
    m_exporter = std::move(exporter);
    emit changed();
    goOn();
}

void ExportController::check(const session::ExportTask& request) {
    m_toCheck = request;
    goOn();
}

void ExportController::begin(const session::ExportTask& request) {
    if (m_underWay) return;
    m_underWay = m_toBegin = request;
    goOn();
    emit changed();
}

void ExportController::cancel() {
    if (!m_toBegin) {
        if (m_exporter && m_underWay) m_exporter->cancel();
        return;
    }
    session::ExportFailed failure{*std::exchange(m_toBegin, {})}; // it waited for an answer to a question
    failure.problemKind = ErrorKind::kCancelled;
    tell(failure);
}

void ExportController::goOn() {
    if (!m_exporter || m_timer.isActive()) return;
    if (m_toBegin)
        m_exporter->begin(*std::exchange(m_toBegin, {}));
    else if (m_toCheck)
        m_exporter->check(*std::exchange(m_toCheck, {}));
    else
        return;
    m_timer.start();
}

void ExportController::tick() {
    if (m_underWay && !m_toBegin) emit progressed(m_exporter->progress());
    const std::vector<session::ExportResult> results = m_exporter->takeResults();
    if (results.empty()) return;
    m_timer.stop();
    for (const session::ExportResult& result : results)
        tell(result);
    goOn();
}

void ExportController::tell(const session::ExportResult& result) {
    if (const auto* const remarks = std::get_if<session::ExportRemarks>(&result)) return emit checked(*remarks);
    const auto* const failure = std::get_if<session::ExportFailed>(&result);
    if (failure && failure->wasChecked) return emit checkFailed(*failure);
    m_underWay.reset(); // first: who hears of one may begin another
    if (failure)
        emit failed(*failure);
    else
        emit made(std::get<session::ExportMade>(result));
    emit changed();
}

} // namespace roundpipe::ui::bridge
