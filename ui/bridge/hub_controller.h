// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for Hugging Face's Hub: owns the door to it, pulls from it while a question is under way, and
// tells the window in signals of values.
#pragma once

#include "session/hub.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace roundpipe::ui::bridge {

// GUI thread only. Nothing here waits for the network, except the destructor until it lets go.
class HubController : public QObject {
    Q_OBJECT
public:
    explicit HubController(std::unique_ptr<session::Hub> hub, QObject* parent = nullptr);

    session::HubAbout about() const { return m_hub->about(); }
    void setOffline(bool offline); // failed() where it cannot be kept

    // Each gives up what was asked before.
    void search(session::HubKind kind, const std::string& words);
    void fetch(session::HubKind kind, const std::string& name);
    void cancel();
    bool isBusy() const { return m_timer.isActive(); }

signals:
    void progressed(const roundpipe::session::HubProgress& now); // of a fetch
    void found(const roundpipe::session::HubHits& hits);
    void fetched(const roundpipe::session::HubFetched& what);
    void failed(const QString& problem, const QString& advice);

private:
    void tick();
    void tell(const session::HubResult& result);

    std::unique_ptr<session::Hub> m_hub;
    bool m_isFetching = false;
    QTimer m_timer;
};

} // namespace roundpipe::ui::bridge
