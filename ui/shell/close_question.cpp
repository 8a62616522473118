#include "ui/shell/close_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace roundpipe::ui::shell {

bool askToStopAndClose(QWidget* parent) {
    const auto say = [](const char* english) { return QCoreApplication::translate("CloseQuestion", english); };
    QMessageBox box(QMessageBox::Question, say("A run is under way"), say("The run is still training."),
                    QMessageBox::NoButton, parent);
    box.setInformativeText(say("It can end after the running step and save checkpoint and adapter, "
                               "so that it can be continued later."));
    const auto* stop = box.addButton(say("Stop, save and close"), QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(say("Keep training"), QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == stop;
}

} // namespace roundpipe::ui::shell
