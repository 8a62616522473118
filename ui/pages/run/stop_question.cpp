// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/stop_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace roundpipe::ui::pages {
namespace {

QString wording(const char* english) {
    return QCoreApplication::translate("StopQuestion", english);
}

} // namespace

void askHowToStop(QWidget* parent, bridge::RunController& run) {
    const QString question = wording(QT_TRANSLATE_NOOP("StopQuestion", "Stop the run?")); // not every title is seen
    auto* box = new QMessageBox(QMessageBox::Question, question, question, QMessageBox::NoButton, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const bool isSimulated = run.plan() != nullptr && run.plan()->isSimulated;
    const QString stepEnds = wording(QT_TRANSLATE_NOOP("StopQuestion", "The running step is finished in any case."));
    const QString whatStays =
        isSimulated
            ? wording(QT_TRANSLATE_NOOP("StopQuestion",
                                        "It is simulated and leaves no files. Saved, it can be continued "
                                        "while its project is open."))
            : wording(QT_TRANSLATE_NOOP("StopQuestion", "Saved, the run can be continued later, and its result can be "
                                                        "used. Discarded, only what was saved before stays."));
    box->setInformativeText(stepEnds + QLatin1Char(' ') + whatStays);
    const auto* save =
        box->addButton(wording(QT_TRANSLATE_NOOP("StopQuestion", "Stop and save")), QMessageBox::AcceptRole);
    const auto* discard =
        box->addButton(wording(QT_TRANSLATE_NOOP("StopQuestion", "Stop and discard")), QMessageBox::DestructiveRole);
    QPushButton* keep =
        box->addButton(wording(QT_TRANSLATE_NOOP("StopQuestion", "Keep training")), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    using bridge::RunController;
    QObject::connect(save, &QPushButton::clicked, &run, &RunController::stop);
    QObject::connect(discard, &QPushButton::clicked, &run, &RunController::stopAndDiscard);
    QObject::connect(&run, &RunController::stateChanged, box, [box](session::RunState state) {
        if (session::isOver(state)) box->reject();
    });
    box->open();
}

} // namespace roundpipe::ui::pages
