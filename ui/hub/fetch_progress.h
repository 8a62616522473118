// SPDX-License-Identifier: GPL-3.0-or-later
// How far a question to the Hub is: a bar, a line of words, and a button that stops it.
#pragma once

#include "session/hub.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace roundpipe::ui::hub {

class FetchProgress : public QWidget {
    Q_OBJECT
public:
    explicit FetchProgress(QWidget* parent = nullptr);

    void showLooking(); // a search, which has no measure
    void showFetch(const session::HubProgress& now);

signals:
    void stopWanted();

private:
    QProgressBar* m_bar;
    QLabel* m_line;
};

} // namespace roundpipe::ui::hub
