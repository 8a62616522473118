// SPDX-License-Identifier: GPL-3.0-or-later
// What a project names of Hugging Face's Hub ("hf:Qwen/Qwen3-8B") and does not have yet as files of this machine, with
// a button that fetches it. Nothing goes to the network before that is pressed.
#pragma once

#include "session/hub.h"
#include "ui/hub/hub_dialog.h"

#include <QFrame>

#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace roundpipe::ui::hub {

class FetchProgress;

// Hidden while there is nothing to fetch. Names are fetched one after another; what they become is their page's to put
// into the project, which then gives the names that are left.
class FetchNotice : public QFrame {
    Q_OBJECT
public:
    FetchNotice(session::HubKind kind, MakeHub makeHub, QWidget* parent = nullptr);

    // As the project writes them. What is being fetched and is no longer among them is given up.
    void setNames(std::vector<std::string> names);

signals:
    void fetched(const std::string& name, const roundpipe::session::HubFetched& what);

private:
    void fetchFirst();
    void take(const session::HubFetched& what);
    void fail(const QString& problem, const QString& advice);
    void stop();
    void showState();

    const session::HubKind m_kind;
    const MakeHub m_makeHub;
    std::vector<std::string> m_names;
    std::string m_underWay;                 // empty: nothing
    bridge::HubController* m_hub = nullptr; // made when it is first needed
    QLabel* m_text;
    QPushButton* m_fetch;
    FetchProgress* m_progress;
    QLabel* m_problem;
};

} // namespace roundpipe::ui::hub
