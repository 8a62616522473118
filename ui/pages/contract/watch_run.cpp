// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/watch_run.h"

#include "base/error.h"
#include "hosted/hosted_engine.h"
#include "runs/stored_run.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPointer>

#include <memory>
#include <utility>

namespace roundpipe::ui::pages {
namespace {

struct WatchWords {
    Q_DECLARE_TR_FUNCTIONS(WatchRun)
};

struct Found {
    std::unique_ptr<session::Engine> engine; // nothing: it can't be followed
    session::RunJob job;
    std::string problem, advice;
};

Found find(const std::filesystem::path& runFolder) {
    Found found;
    try {
        found.job.spec = runs::specOf(runFolder);
        found.engine = hosted::HostedEngine::following(runFolder);
    } catch (const Error& error) {
        found.problem = error.message();
        found.advice = error.advice();
    }
    return found;
}

void tell(QWidget* asker, const Found& found) {
    auto* box = new QMessageBox(QMessageBox::Warning, WatchWords::tr("Watch the run"),
                                QString::fromStdString(found.problem), QMessageBox::Close, asker);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(QString::fromStdString(found.advice));
    box->open();
}

} // namespace

void watchRun(QWidget* asker, const Services& services, const std::filesystem::path& runFolder,
              std::function<void()> then) {
    const auto found = std::make_shared<Found>();
    services.runLibrary.perform([found, runFolder](runs::RunLibrary&) { *found = find(runFolder); }, services.run,
                                [found, asker = QPointer<QWidget>(asker), &run = services.run, then = std::move(then)] {
                                    if (!found->engine) {
                                        if (asker) tell(asker, *found);
                                        return;
                                    }
                                    if (run.isRunning()) return;
                                    run.follow(std::move(found->engine), std::move(found->job));
                                    if (then) then();
                                });
}

} // namespace roundpipe::ui::pages
