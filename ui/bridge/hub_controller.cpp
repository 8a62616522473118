// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/hub_controller.h"

#include "ui/bridge/tick.h"

#include <variant>

namespace roundpipe::ui::bridge {

HubController::HubController(std::unique_ptr<session::Hub> hub, QObject* parent)
    : QObject(parent), m_hub(std::move(hub)) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &HubController::tick);
}

void HubController::setOffline(bool offline) {
    try {
        m_hub->setOffline(offline);
    } catch (const Error& error) {
        emit failed(QString::fromStdString(error.message()), QString::fromStdString(error.advice()));
    }
}

void HubController::search(session::HubKind kind, const std::string& words) {
    m_isFetching = false;
    m_hub->search(kind, words);
    m_timer.start();
}

void HubController::fetch(session::HubKind kind, const std::string& name) {
    m_isFetching = true;
    m_hub->fetch(kind, name);
    m_timer.start();
}

void HubController::cancel() {
    m_hub->cancel();
    m_timer.stop();
}

void HubController::tick() {
    if (m_isFetching) emit progressed(m_hub->progress());
    const std::vector<session::HubResult> results = m_hub->takeResults();
    if (results.empty()) return;
    m_timer.stop(); // first: who hears of one may ask for another
    for (const session::HubResult& result : results)
        tell(result);
}

void HubController::tell(const session::HubResult& result) {
    if (const auto* const hits = std::get_if<session::HubHits>(&result)) emit found(*hits);
    if (const auto* const what = std::get_if<session::HubFetched>(&result)) emit fetched(*what);
    if (const auto* const failure = std::get_if<session::HubFailed>(&result))
        emit failed(QString::fromStdString(failure->problem), QString::fromStdString(failure->advice));
}

} // namespace roundpipe::ui::bridge
