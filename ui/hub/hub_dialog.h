// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face's Hub, looked through and fetched from. Nothing goes to the network before a button is pressed.
#pragma once

#include "session/hub.h"
#include "ui/bridge/hub_controller.h"

#include <QDialog>

#include <functional>

class QAction;
class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace roundpipe::ui::hub {

class FetchProgress;

using MakeHub = std::function<std::unique_ptr<session::Hub>()>;

// Stands beside the window, which goes on working. Closed while it fetches, it stops; what came so far stays.
class HubDialog : public QDialog {
    Q_OBJECT
public:
    HubDialog(std::unique_ptr<session::Hub> hub, session::HubKind kind, QWidget* parent = nullptr);

signals:
    void fetched(const roundpipe::session::HubFetched& what); // it closes then

protected:
    void done(int result) override;

private:
    QWidget* buildSearch();
    QWidget* buildHits();
    QWidget* buildFetch();
    QWidget* buildFoot();
    void showAbout();
    void showHits(const session::HubHits& hits);
    void showFailure(const QString& problem, const QString& advice);
    void search();
    void fetch();
    void setBusy(bool busy);

    bridge::HubController m_hub;
    session::HubKind m_kind;
    QLabel* m_about;
    FetchProgress* m_way; // while something is under way
    QLineEdit* m_words = nullptr;
    QPushButton* m_search = nullptr;
    QTableWidget* m_hits = nullptr;
    QLineEdit* m_name = nullptr;
    QPushButton* m_fetch = nullptr;
    QLabel* m_problem = nullptr;
    QCheckBox* m_offline = nullptr;
};

// "From the Hub…": opens the dialog, one at a time. `onFetched` is told in the context of `parent`.
QAction* makeHubAction(session::HubKind kind, const MakeHub& makeHub, QWidget* parent,
                       const std::function<void(const session::HubFetched&)>& onFetched);

} // namespace roundpipe::ui::hub
