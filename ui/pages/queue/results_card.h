// SPDX-License-Identifier: GPL-3.0-or-later
// What came of the runs of the queue, of all or of one grid, the best first.
#pragma once

#include "ui/pages/queue/results_model.h"
#include "ui/widgets/card.h"

#include <filesystem>

class QComboBox;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace roundpipe::ui::pages {

class ResultsCard : public widgets::Card {
    Q_OBJECT
public:
    explicit ResultsCard(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setRuns(const std::vector<bridge::QueueView::Begun>& runs); // the oldest first
    QTableView& table() { return *m_table; }
    QComboBox& grids() { return *m_grids; }

signals:
    void runWanted(const std::filesystem::path& folder); // on the page Runs

private:
    void showGrids();
    void showRuns();
    void showCurrent();
    void open();
    const bridge::QueueView::Begun* current() const; // null: none

    std::vector<bridge::QueueView::Begun> m_runs;
    ResultsModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QComboBox* m_grids;
    QPushButton* m_open;
    QLabel* m_problem;
};

} // namespace roundpipe::ui::pages
