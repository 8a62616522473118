// SPDX-License-Identifier: GPL-3.0-or-later
// Which model learns: those of this machine, whether and how each fits this rig, and what is refused and why.
#pragma once

#include "ui/bridge/model_scan.h"
#include "ui/pages/contract/page.h"
#include "ui/pages/model/model_list.h"

class QAction;
class QLabel;
class QPushButton;
class QTableView;

namespace roundpipe::ui::widgets {
class EmptyState;
}

namespace roundpipe::ui::hub {
class FetchNotice;
}

namespace roundpipe::ui::pages {

class ModelVerdicts;

class ModelPage : public Page {
    Q_OBJECT
public:
    explicit ModelPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    std::vector<Missing> missing() const override;
    void showField(const QString& key) override;

    void addFolder(const QString& folder); // is remembered
    void scan();
    void sayNothingFound();
    void selectFirst();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildTable();
    QWidget* buildDetails();
    QWidget* buildCost();
    void followDocument();
    void fetched(const session::HubFetched& model);
    void take(const std::shared_ptr<const arch::ModelFolder>& model, bool isCached); // that was found
    void showDetails();
    void showMethod();
    void useCurrent();
    void chooseFolder();
    int currentRow() const;
    QStringList folders() const;

    ModelList* m_list;
    hub::FetchNotice* m_toFetch = nullptr; // null where there is no Hub
    bridge::ModelScan* m_scan;
    ModelVerdicts* m_verdicts;
    bool m_scanned = false;
    bool m_usesAdded = false;      // as the project's model, if it can be trained
    std::filesystem::path m_added; // a folder whose models are being looked for, to be shown first; empty: none
    QTableView* m_table = nullptr;
    widgets::EmptyState* m_none = nullptr;
    QAction* m_fromHub = nullptr; // null where there is no Hub
    QWidget* m_details = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_name = nullptr;
    widgets::Pill* m_verdict = nullptr;
    QLabel* m_facts = nullptr;
    QWidget* m_cost = nullptr;
    QLabel *m_rig = nullptr, *m_costs = nullptr, *m_outline = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_use = nullptr;
};

} // namespace roundpipe::ui::pages
