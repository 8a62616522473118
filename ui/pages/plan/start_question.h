// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before a run is started that is not expected to fit.
#pragma once

#include <QMessageBox>
#include <QString>

#include <functional>

namespace roundpipe::ui::pages {

struct StartQuestion {
    QString problem;                  // why it does not fit; empty: it fits by now
    QString remedy;                   // what would make it fit, for a button; empty: nothing is known
    std::function<void()> takeRemedy; // does it
    bool isOld = false;               // it is about the settings before a change, the new plan is being worked out
};
enum class StartAnswer { kLookAtThePlan, kStartAnyway };

// Deletes itself once it is answered. Escape, and the remedy once it is taken, look at the plan.
class StartQuestionBox : public QMessageBox {
    Q_OBJECT
public:
    explicit StartQuestionBox(QWidget* parent);
    void say(const StartQuestion& question); // again, whenever the plan has changed while the box is open

signals:
    void answered(roundpipe::ui::pages::StartAnswer answer);

private:
    std::function<void()> m_takeRemedy;
    QPushButton* m_remedy;
    QPushButton* m_anyway;
};

} // namespace roundpipe::ui::pages
