// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that a page is given, for tests: an empty project, the simulated engine if it is asked for, a home of its
// own for files.
#pragma once

#include "data/rows/append_row.h"
#include "data/workbench/local_workbench.h"
#include "demo_project.h"
#include "session/simulated/simulated_engine.h"
#include "ui/pages/contract/services.h"

#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace roundpipe::testing {

struct TestServices {
    // `probe` measures this machine; without one only rigs that are described can be planned for.
    explicit TestServices(session::RigProbe probe = nullptr) : measures(std::move(probe)) {}

    session::RigProbe measures;
    TemporaryFolder home;
    std::filesystem::path demo = sourceFolder() / "resources" / "demo" / "run.json";
    ui::theme::ThemeManager themes{*qApp};
    ui::preferences::Preferences preferences{home.path() / "studio.ini"};
    ui::document::Document document{home.path() / "projects"};
    ui::bridge::RunController run;
    ui::bridge::WorkbenchController workbench{data::makeLocalWorkbench()};
    ui::bridge::PlannerController planner{session::makePlanner(measures)};
    ui::pages::ProjectPlan plan{document, workbench, run, planner};
    ui::bridge::ExportController exports;
    ui::bridge::ChatController chat;
    ui::bridge::RunLibraryController runLibrary{home.path() / "runs", home.path() / "runs.sqlite"};
    ui::bridge::QueueController queue{runLibrary, home.path() / "queue"};
    ui::pages::RunCommands commands{document, run, exports, chat, queue};

    ui::pages::Services services() {
        return {document,
                run,
                workbench,
                plan,
                themes,
                preferences,
                commands,
                runLibrary,
                queue,
                exports,
                chat,
                demo,
                [this] { return session::makePlanner(measures); },
                demo.parent_path().parent_path() / "manual",
                {},
                {},
                data::appendMessagesRow};
    }
    void useSimulatedEngine(double speed) { run.setEngine(session::makeSimulatedEngine({.speed = speed})); }
};

// Texts that a person sees.
inline QStringList textsOf(const QWidget& widget) {
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget)) texts.append(label->text());
    for (const QPlainTextEdit* field : widget.findChildren<QPlainTextEdit*>()) // what is long, or written there
        if (field->isVisibleTo(&widget)) texts.append(field->toPlainText());
    return texts;
}
inline bool shows(const QWidget& widget, const char* part) {
    return !textsOf(widget).filter(QString::fromUtf8(part)).isEmpty();
}
// The button with this text; null: there is none on show.
inline QPushButton* buttonOf(const QWidget& widget, const char* text) {
    for (QPushButton* button : widget.findChildren<QPushButton*>())
        if (button->isVisibleTo(&widget) && button->text() == QString::fromUtf8(text)) return button;
    return nullptr;
}

} // namespace roundpipe::testing
