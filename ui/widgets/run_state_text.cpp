// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run_state_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::widgets {
namespace {

QString say(const char* english) {
    return QCoreApplication::translate("RunState", english);
}

} // namespace

QString runStateText(session::RunState state) {
    using session::RunState;
    switch (state) {
    case RunState::kIdle:
        return say(QT_TRANSLATE_NOOP("RunState", "Ready"));
    case RunState::kPreparing:
        return say(QT_TRANSLATE_NOOP("RunState", "Preparing"));
    case RunState::kTraining:
        return say(QT_TRANSLATE_NOOP("RunState", "Training"));
    case RunState::kEvaluating:
        return say(QT_TRANSLATE_NOOP("RunState", "Validating"));
    case RunState::kAnswering:
        return say(QT_TRANSLATE_NOOP("RunState", "Answering"));
    case RunState::kSaving:
        return say(QT_TRANSLATE_NOOP("RunState", "Saving"));
    case RunState::kPaused:
        return say(QT_TRANSLATE_NOOP("RunState", "Paused"));
    case RunState::kStopping:
        return say(QT_TRANSLATE_NOOP("RunState", "Stopping after this step"));
    case RunState::kFinished:
        return say(QT_TRANSLATE_NOOP("RunState", "Finished"));
    case RunState::kStopped:
        return say(QT_TRANSLATE_NOOP("RunState", "Stopped"));
    case RunState::kFailed:
        return say(QT_TRANSLATE_NOOP("RunState", "Failed"));
    }
    return {};
}

} // namespace roundpipe::ui::widgets
