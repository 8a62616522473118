// SPDX-License-Identifier: GPL-3.0-or-later
// Why nothing fits, and what would make it fit: each change with what it costs, and a button where settings do it.
#pragma once

#include "plan/remedies/fix.h"
#include "ui/widgets/card.h"

#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;

namespace roundpipe::ui::pages {

class FixesCard : public widgets::Card {
    Q_OBJECT
public:
    explicit FixesCard(QWidget* parent = nullptr);
    // `together`: changes that help together, where none alone is enough. `isWorking`: some may still come.
    void setProblem(const QString& problem, const QString& advice, const std::vector<plan::Fix>& fixes,
                    const std::vector<plan::Fix>& together, bool isWorking);
    void offerRig(bool offers); // a button that leads to where a rig is described

signals:
    void rigWanted();
    void fixesWanted(const std::vector<roundpipe::plan::Fix>& fixes);

private:
    int addChange(QGridLayout& grid, const QString& change, const QString& cost) const;
    void addButton(QGridLayout& grid, const QString& text, int firstRow, const std::vector<plan::Fix>& fixes);

    QLabel* m_problem;
    QLabel* m_advice;
    QPushButton* m_describe;
    QWidget* m_rows = nullptr;
};

} // namespace roundpipe::ui::pages
