// SPDX-License-Identifier: GPL-3.0-or-later
// The line at the window's foot: what the run does just now, and which engine does it.
#pragma once

#include "ui/bridge/run_controller.h"

#include <QStatusBar>

class QLabel;
class QProgressBar;

namespace roundpipe::ui::shell {

class RunStatusBar : public QStatusBar {
    Q_OBJECT
public:
    explicit RunStatusBar(bridge::RunController& run, QWidget* parent = nullptr);
    void setEngineName(const QString& name);

private:
    void showSnapshot();

    bridge::RunController& m_run;
    QLabel* m_state;
    QProgressBar* m_progress;
    QLabel* m_numbers;
    QLabel* m_engine;
};

} // namespace roundpipe::ui::shell
