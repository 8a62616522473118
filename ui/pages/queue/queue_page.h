// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that wait for their devices, what came of those that were begun, and how the line is trained.
#pragma once

#include "ui/pages/contract/page.h"
#include "ui/pages/queue/line_model.h"

class QLabel;
class QTableView;

namespace roundpipe::ui::widgets {
class Card;
class EmptyState;
class Segmented;
} // namespace roundpipe::ui::widgets

namespace roundpipe::ui::pages {

class ResultsCard;

class QueuePage : public Page {
    Q_OBJECT
public:
    explicit QueuePage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;

    QTableView& table() { return *m_table; }
    ResultsCard& results() { return *m_results; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildLine();
    QWidget* buildChoices();
    void buildCommands();
    void buildKeys();
    void refresh();
    void showAll();
    void showRows();
    void showCurrent();
    void showTraining();
    static QString noEngineText();
    QString trainingText() const;
    void addProject();
    void askForGrid();
    void act(); // on the current run: watch it, or take it out
    void watch(const LineRow& row);
    void removeSelected();
    void moveCurrent(int by);
    void switchTraining();
    void tellAdded(int count);
    void askBesideQueue(const QString& run);
    queue::QueuedRun projectsRun() const;
    const LineRow* current() const; // null: none
    bool goesOn() const;            // runs begin as soon as their devices are free

    LineModel* m_model;
    QTableView* m_table;
    widgets::EmptyState* m_empty;
    widgets::Card* m_line = nullptr;
    QWidget* m_choices = nullptr;
    QLabel* m_state;
    QLabel* m_problem;
    widgets::Segmented *m_afterError, *m_whenDone;
    ResultsCard* m_results;
    QAction *m_act = nullptr, *m_grid = nullptr, *m_add = nullptr, *m_train = nullptr;
};

} // namespace roundpipe::ui::pages
