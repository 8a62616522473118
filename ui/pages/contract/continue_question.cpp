// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/continue_question.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include <memory>

namespace roundpipe::ui::pages {
namespace {

struct ContinueWords {
    Q_DECLARE_TR_FUNCTIONS(ContinueQuestion)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

// What is in the way; empty: nothing.
QString obstacleTo(const runs::Resumption& resumption, const Services& services) {
    if (!resumption.problem.empty()) return text(resumption.problem + " " + resumption.advice).trimmed();
    if (services.run.isRunning())
        return ContinueWords::tr("A run is under way. This one can be continued when that has ended.");
    if (services.exports.underWay())
        return ContinueWords::tr("An export is being made. The run can be continued when that has ended.");
    if (!services.run.hasEngine())
        return ContinueWords::tr("There is no training engine yet. It can be continued when there is one.");
    return {};
}

QString stepsOf(const runs::Resumption& resumption) {
    return resumption.totalSteps > 0
               ? ContinueWords::tr("Continue after step %1 of %2?").arg(resumption.step).arg(resumption.totalSteps)
               : ContinueWords::tr("Continue after step %1?").arg(resumption.step);
}

QString detailsOf(const runs::Resumption& resumption, const bridge::QueueController& queue) {
    QStringList lines;
    if (const auto* other = queue.trainedOn(resumption.spec.engine.devices))
        lines.append(
            ContinueWords::tr("The queue trains %1 on the same devices: two runs there slow each other down, and "
                              "may run out of memory.")
                .arg(text(other->name())));
    if (!resumption.checkpoint.empty())
        lines.append(ContinueWords::tr("It goes on from the checkpoint %1.").arg(text(resumption.checkpoint.string())));
    if (resumption.stepsDone > resumption.step)
        lines.append(ContinueWords::tr("What came after that checkpoint, up to step %1, is done again.")
                         .arg(resumption.stepsDone));
    lines.append(ContinueWords::tr("Settings, rows and order stay those of the run, and so does its folder."));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void askToContinue(QWidget* parent, const Services& services, const std::filesystem::path& runFolder) {
    const auto found = std::make_shared<runs::Resumption>();
    services.runLibrary.perform(
        [found, runFolder](runs::RunLibrary&) { *found = runs::resumptionOf(runs::readRun(runFolder)); }, *parent,
        [found, parent, services] {
            services.queue.readThen(*parent, [found, parent, services] { askToContinue(parent, services, *found); });
        });
}

void askToContinue(QWidget* parent, const Services& services, const runs::Resumption& resumption) {
    const QString obstacle = obstacleTo(resumption, services);
    auto* box = new QMessageBox(
        obstacle.isEmpty() ? QMessageBox::Question : QMessageBox::Warning, ContinueWords::tr("Continue the run"),
        obstacle.isEmpty() ? stepsOf(resumption) : ContinueWords::tr("This run can't be continued."),
        QMessageBox::NoButton, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(obstacle.isEmpty() ? detailsOf(resumption, services.queue) : obstacle);
    if (obstacle.isEmpty()) {
        QPushButton* yes = box->addButton(ContinueWords::tr("Continue"), QMessageBox::AcceptRole);
        box->setDefaultButton(yes);
        box->addButton(ContinueWords::tr("Leave it"), QMessageBox::RejectRole);
        auto* accepts = new QCheckBox(ContinueWords::tr("Also if rows, model or settings have changed since"), box);
        if (resumption.checkpoint.empty())
            accepts->hide(); // simulated: there are none to have changed
        else
            box->setCheckBox(accepts);
        bridge::RunController& controller = services.run;
        bridge::ChatController& chat = services.chat;
        QObject::connect(yes, &QPushButton::clicked, &controller, [&controller, &chat, resumption, accepts] {
            chat.freeThen([&controller, resumption, accepts = accepts->isChecked()] {
                controller.start({resumption.spec, resumption.prompts, true, accepts}, resumption.steps);
            });
        });
    } else {
        box->addButton(ContinueWords::tr("Close"), QMessageBox::RejectRole);
    }
    box->open();
}

} // namespace roundpipe::ui::pages
