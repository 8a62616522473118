// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/close_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace roundpipe::ui::shell {
namespace {

struct CloseQuestion { // the context of its translations
    Q_DECLARE_TR_FUNCTIONS(CloseQuestion)
};

} // namespace

bool askToStopAndClose(QWidget* parent, const bridge::RunController& run, bool isSimulated) {
    const bool isPaused = run.snapshot().isPaused;
    QMessageBox box(QMessageBox::Question, CloseQuestion::tr("A run is under way"),
                    isPaused ? CloseQuestion::tr("The run is paused.")
                             : CloseQuestion::tr("The run is not at its end yet."),
                    QMessageBox::NoButton, parent);
    box.setInformativeText(isSimulated
                               ? CloseQuestion::tr("It is simulated: nothing of it is kept.")
                               : CloseQuestion::tr("It can end after the running step and save checkpoint and result, "
                                                   "so that it can be continued later."));
    const auto* stop =
        box.addButton(isSimulated ? CloseQuestion::tr("Stop and close") : CloseQuestion::tr("Stop, save and close"),
                      QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(
        isPaused ? CloseQuestion::tr("Leave it paused") : CloseQuestion::tr("Keep training"), QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == stop;
}

} // namespace roundpipe::ui::shell
