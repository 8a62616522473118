// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says, line by line with the time of the day.
#pragma once

#include "ui/bridge/run_controller.h"

#include <QPlainTextEdit>

namespace roundpipe::ui::pages {

class RunLog : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit RunLog(const bridge::RunController& controller, QWidget* parent = nullptr);
    void sayPlan(const session::RunPlan& plan, const QString& model, const QString& cuts);

private:
    void say(const QString& line);
};

} // namespace roundpipe::ui::pages
