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

// To stay is what Return and Escape mean. `leave` is empty where what is under way ends with the window.
void ask(QMessageBox* box, const QString& end, const QString& leave, const QString& stay, CloseAnswered answered) {
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* stop = box->addButton(end, QMessageBox::AcceptRole);
    const QPushButton* away = leave.isEmpty() ? nullptr : box->addButton(leave, QMessageBox::AcceptRole);
    QPushButton* keep = box->addButton(stay, QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(box, &QMessageBox::finished, box, [=, answered = std::move(answered)] {
        const QAbstractButton* clicked = box->clickedButton();
        answered(clicked == stop                         ? CloseAnswer::kEnd
                 : clicked != nullptr && clicked == away ? CloseAnswer::kLeave
                                                         : CloseAnswer::kStay);
    });
    box->open();
}

QString whatBecomesOf(const bridge::RunController& run, bool isSimulated) {
    if (isSimulated) return CloseQuestion::tr("It is simulated: nothing of it is kept.");
    const QString end =
        CloseQuestion::tr("It can end after the running step and save checkpoint and result, so that it "
                          "can be continued later.");
    if (!run.goesOnAlone()) return end;
    return CloseQuestion::tr(
               "It can go on without this window; the page Runs shows it again, and so does its project.") +
           QLatin1Char('\n') + end;
}

} // namespace

void askToStopAndClose(QWidget* parent, const bridge::RunController& run, bool isSimulated, CloseAnswered answered) {
    const bool isPaused = run.snapshot().isPaused;
    auto* box = new QMessageBox(QMessageBox::Question, CloseQuestion::tr("A run is under way"),
                                isPaused ? CloseQuestion::tr("The run is paused.")
                                         : CloseQuestion::tr("The run is not at its end yet."),
                                QMessageBox::NoButton, parent);
    box->setInformativeText(whatBecomesOf(run, isSimulated));
    const QString end = isSimulated ? CloseQuestion::tr("Stop and close") : CloseQuestion::tr("Stop, save and close");
    if (run.goesOnAlone())
        ask(box, end, CloseQuestion::tr("Close the window alone"), CloseQuestion::tr("Keep the window"),
            std::move(answered));
    else
        ask(box, end, {}, isPaused ? CloseQuestion::tr("Leave it paused") : CloseQuestion::tr("Keep training"),
            std::move(answered));
}

void askToGiveUpExport(QWidget* parent, CloseAnswered answered) {
    auto* box = new QMessageBox(QMessageBox::Question, CloseQuestion::tr("An export is being made"),
                                CloseQuestion::tr("The export is not done yet."), QMessageBox::NoButton, parent);
    box->setInformativeText(
        CloseQuestion::tr("Nothing of it stays where it is half written. It can be made again at any time."));
    ask(box, CloseQuestion::tr("Stop it and close"), {}, CloseQuestion::tr("Go on exporting"), std::move(answered));
}

} // namespace roundpipe::ui::shell
