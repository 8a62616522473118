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

// Whether it is to end; what goes on is what Return and Escape mean.
bool isToEnd(QMessageBox& box, const QString& end, const QString& goOn) {
    const QPushButton* stop = box.addButton(end, QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(goOn, QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == stop;
}

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
    return isToEnd(box, isSimulated ? CloseQuestion::tr("Stop and close") : CloseQuestion::tr("Stop, save and close"),
                   isPaused ? CloseQuestion::tr("Leave it paused") : CloseQuestion::tr("Keep training"));
}

bool askToGiveUpExport(QWidget* parent) {
    QMessageBox box(QMessageBox::Question, CloseQuestion::tr("An export is being made"),
                    CloseQuestion::tr("The export is not done yet."), QMessageBox::NoButton, parent);
    box.setInformativeText(
        CloseQuestion::tr("Nothing of it stays where it is half written. It can be made again at any time."));
    return isToEnd(box, CloseQuestion::tr("Stop it and close"), CloseQuestion::tr("Go on exporting"));
}

} // namespace roundpipe::ui::shell
