#include "ui/pages/plan/start_question.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace roundpipe::ui::pages {
namespace {

struct StartWords {
    Q_DECLARE_TR_FUNCTIONS(StartQuestion)
};

} // namespace

void ask(QWidget* parent, const StartQuestion& question, const std::function<void(StartAnswer)>& then) {
    auto* box = new QMessageBox(QMessageBox::Warning, StartWords::tr("The run does not fit"), question.problem,
                                QMessageBox::NoButton, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(StartWords::tr(
        "Unless the estimate is wrong, it ends for want of memory before its first step or soon after."));
    const QPushButton* remedy =
        question.remedy.isEmpty() ? nullptr : box->addButton(question.remedy, QMessageBox::AcceptRole);
    const QPushButton* anyway = box->addButton(StartWords::tr("Start anyway"), QMessageBox::DestructiveRole);
    QPushButton* look = box->addButton(StartWords::tr("Look at the plan"), QMessageBox::RejectRole);
    box->setDefaultButton(look);
    box->setEscapeButton(look);
    QObject::connect(box, &QMessageBox::buttonClicked, parent,
                     [question, then, remedy, anyway](const QAbstractButton* clicked) {
                         if (clicked == remedy && question.takeRemedy) question.takeRemedy();
                         then(clicked == anyway ? StartAnswer::kStartAnyway : StartAnswer::kLookAtThePlan);
                     });
    box->open();
}

} // namespace roundpipe::ui::pages
