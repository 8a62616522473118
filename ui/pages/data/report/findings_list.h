// SPDX-License-Identifier: GPL-3.0-or-later
// Findings one under the other, each with a button that shows its rows, and one for what can be done about them, here
// or on another page.
#pragma once

#include "ui/pages/data/report/findings.h"
#include "ui/theme/theme_manager.h"

#include <QScrollArea>

class QVBoxLayout;

namespace roundpipe::ui::pages {

class FindingsList : public QScrollArea {
    Q_OBJECT
public:
    explicit FindingsList(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setFindings(std::vector<Finding> findings);
    void sayWhy(const QString& words); // there are none

signals:
    void rowsWanted(const QString& title, const std::vector<roundpipe::ui::pages::ListedRow>& rows);
    void choiceMade(const roundpipe::ui::pages::RowsChoice& choice);
    void leadFollowed(const QString& page, const QString& field);

private:
    void rebuild();
    QWidget* lineOf(const Finding& finding);

    const theme::ThemeManager& m_themes;
    std::vector<Finding> m_findings;
    QString m_why;
    QVBoxLayout* m_lines;
};

} // namespace roundpipe::ui::pages
