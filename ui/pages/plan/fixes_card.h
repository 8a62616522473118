// Why nothing fits, and what would make it fit: each change with what it costs, and a button where a setting does it.
#pragma once

#include "plan/search/fixes.h"
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
    static bool isSetting(const plan::Fix& fix); // of the run; other bits, memory and GPUs are not
    // `isWorking`: fixes may still come.
    void setProblem(const QString& problem, const QString& advice, const std::vector<plan::Fix>& fixes, bool isWorking);
    void offerRig(bool offers); // a button that leads to where a rig is described

signals:
    void rigWanted();
    void fixWanted(const roundpipe::plan::Fix& fix);

private:
    QLabel* m_problem;
    QLabel* m_advice;
    QPushButton* m_describe;
    QWidget* m_rows = nullptr;
};

} // namespace roundpipe::ui::pages
