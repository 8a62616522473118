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

bool askToStopAndClose(QWidget* parent) {
    QMessageBox box(QMessageBox::Question, CloseQuestion::tr("A run is under way"),
                    CloseQuestion::tr("The run is still training."), QMessageBox::NoButton, parent);
    box.setInformativeText(CloseQuestion::tr("It can end after the running step and save checkpoint and adapter, "
                                             "so that it can be continued later."));
    const auto* stop = box.addButton(CloseQuestion::tr("Stop, save and close"), QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(CloseQuestion::tr("Keep training"), QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == stop;
}

} // namespace roundpipe::ui::shell
