// SPDX-License-Identifier: GPL-3.0-or-later
// All runs, the command line's too: a table, curves over each other, what differs, notes, rename, delete.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/pages/runs/runs_model.h"

#include <QTimer>

#include <map>
#include <memory>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace roundpipe::ui::charts {
class CurvesChart;
}
namespace roundpipe::ui::widgets {
class EmptyState;
class Segmented;
} // namespace roundpipe::ui::widgets

namespace roundpipe::ui::pages {

class DifferencesTable;
class JournalView;

class RunsPage : public Page {
    Q_OBJECT
public:
    explicit RunsPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    void showField(const QString& key) override; // the folder of a run: that one

    QTableView& table() { return *m_table; }
    charts::CurvesChart& chart() { return *m_chart; }
    DifferencesTable& differences() { return *m_differences; }
    QPlainTextEdit& note() { return *m_note; }
    JournalView& journal() { return *m_journal; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    using Details = std::shared_ptr<const bridge::RunDetails>;

    QWidget* buildTable();
    QWidget* buildCurves();
    QWidget* buildDifferences();
    void buildCommands();
    void showList();
    void showMark();
    void showGoingOn(const runs::StoredRun* run);
    void listWhatPrepares();
    void goOnWith(const runs::StoredRun& run);
    void showCurrent();
    void showJournal();
    void showWanted();
    void readChosen();
    void showChosen();
    void saveNote();
    void askToDelete();
    void open();
    const runs::StoredRun* current() const;            // null: none
    std::vector<std::filesystem::path> chosen() const; // what is compared, or else the current one

    RunsModel* m_model;
    QSortFilterProxyModel* m_shown;
    QTableView* m_table;
    QLineEdit* m_filter;
    widgets::EmptyState* m_empty;
    QWidget* m_lower = nullptr; // curves and differences: not before there is a run
    charts::CurvesChart* m_chart;
    widgets::Segmented *m_axis, *m_value, *m_scale;
    DifferencesTable* m_differences;
    QLabel* m_numEqual;
    widgets::Segmented* m_lookAt;
    JournalView* m_journal;
    QPushButton* m_copy;
    QStackedWidget* m_aboutRuns;    // what differs, or the journal
    std::filesystem::path m_wanted; // the run that was asked for, until it is listed
    QLabel* m_noteTitle;
    QPlainTextEdit* m_note;
    std::filesystem::path m_noteOf; // the run whose note is on show
    QTimer m_noteSoon;
    std::filesystem::path m_listed; // of the run that this window trains
    QTimer m_lookAgain;             // while a run is under way
    std::map<std::filesystem::path, Details> m_details;
    QAction *m_compare = nullptr, *m_open = nullptr, *m_continue = nullptr, *m_rename = nullptr, *m_delete = nullptr;
};

} // namespace roundpipe::ui::pages
