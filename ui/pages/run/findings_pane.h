// SPDX-License-Identifier: GPL-3.0-or-later
// What is found about the run: sentences, each with its evidence on the timeline and what can be done.
#pragma once

#include "ui/models/finding_text.h"
#include "ui/theme/theme_manager.h"

#include <QScrollArea>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace roundpipe::ui::pages {

class FindingsPane : public QScrollArea {
    Q_OBJECT
public:
    explicit FindingsPane(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void clear();
    // `isOver`: the run has ended, so no more steps will come that could tell something.
    void setFindings(const session::RunFindings& findings, const session::RunPlan& plan, bool isOver = false);
    // For where there is room for one line.
    QString firstText() const;
    bool firstHasEvidence() const;
    void showFirst(); // on the timeline

signals:
    void evidenceWanted(qint64 beginNs, qint64 endNs);
    void pageWanted(const QString& page, const QString& field);
    void changed();

private:
    // Rows are used again, so that the focus stays where it is while findings come and go.
    struct Row {
        QWidget* widget;
        QLabel* icon;
        QLabel* headline;
        QLabel* detail;
        QPushButton* show;
        QPushButton* act;
        session::RunFinding finding;
        models::FindingText text;
    };
    void addRow();
    void fill(Row& row, const session::RunFinding& finding, const session::RunPlan& plan);
    void layOut();
    void drawIcons();

    const theme::ThemeManager& m_themes;
    QLabel* m_well; // instead of rows
    QVBoxLayout* m_layout;
    std::vector<Row> m_rows;
    std::size_t m_numShown = 0;
};

} // namespace roundpipe::ui::pages
