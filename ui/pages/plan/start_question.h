// What is asked before a run is started that is not expected to fit.
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace roundpipe::ui::pages {

struct StartQuestion {
    QString problem;                  // why it does not fit
    QString remedy;                   // what would make it fit, for a button; empty: nothing is known
    std::function<void()> takeRemedy; // does it
};
enum class StartAnswer { kLookAtThePlan, kStartAnyway };

// Returns at once; `then` is told the answer later. Escape, and the remedy once it is taken, look at the plan.
void ask(QWidget* parent, const StartQuestion& question, const std::function<void(StartAnswer)>& then);

} // namespace roundpipe::ui::pages
