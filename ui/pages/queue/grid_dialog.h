// SPDX-License-Identifier: GPL-3.0-or-later
// A grid over the project's settings: which runs come of it, how long they take, and into the queue with them.
#pragma once

#include "ui/pages/queue/grid_field.h"
#include "ui/pages/queue/grid_times.h"

#include <QDialog>
#include <QTimer>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace roundpipe::ui::pages {

class GridDialog : public QDialog {
    Q_OBJECT
public:
    // `base`: the project as it would be added alone.
    GridDialog(const Services& services, queue::QueuedRun base, QWidget* parent = nullptr);

    GridField& field(std::size_t index) { return *m_fields[index]; }
    std::size_t numFields() const { return m_fields.size(); }
    QTableWidget& preview() { return *m_preview; }
    QLabel& problem() { return *m_problem; }
    QLabel& summary() { return *m_summary; }

private:
    void addField();
    void removeField(GridField* field);
    void orderTabs();
    QString freeName() const;
    void look();
    void nameRuns(const std::vector<queue::SweptField>& swept);
    void showRuns(const std::vector<queue::SweptField>& swept);
    void showTimes();
    void addRuns();

    Services m_services;
    queue::QueuedRun m_base;
    std::vector<queue::QueuedRun> m_runs; // that come of it; none: not all is given, or wrong
    std::vector<GridField*> m_fields;
    GridTimes* m_times;
    QTimer m_lookSoon;
    QVBoxLayout* m_rows;
    QPushButton* m_more;
    QLineEdit* m_name;
    QLabel *m_problem, *m_summary;
    QTableWidget* m_preview;
    QPushButton* m_add;
};

} // namespace roundpipe::ui::pages
