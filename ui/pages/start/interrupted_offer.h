// SPDX-License-Identifier: GPL-3.0-or-later
// What a crash of the program or the machine left: the newest run of late that ended without a word, to be gone on
// with. Not on show where there is none, or while a run is under way.
#pragma once

#include "ui/pages/contract/services.h"
#include "ui/widgets/card.h"

class QLabel;
class QPushButton;

namespace roundpipe::ui::widgets {
class ElidedLabel;
}

namespace roundpipe::ui::pages {

class InterruptedOffer : public widgets::Card {
    Q_OBJECT
public:
    explicit InterruptedOffer(const Services& services, QWidget* parent = nullptr);
    void lookAgain(); // reads the runs, in the library's thread

signals:
    void runsWanted(const QString& folder); // the list of all, at this one

private:
    void showNewest();
    void dismiss();

    Services m_services;
    runs::StoredRun m_run; // on offer
    QLabel* m_sign;
    widgets::ElidedLabel *m_what, *m_how;
    QPushButton* m_continue;
};

} // namespace roundpipe::ui::pages
