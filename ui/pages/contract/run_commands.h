// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with a run, as actions that menus, headers and keys share.
#pragma once

#include "ui/bridge/chat_controller.h"
#include "ui/bridge/export_controller.h"
#include "ui/bridge/queue_controller.h"
#include "ui/bridge/run_controller.h"
#include "ui/document/document.h"
#include "ui/pages/contract/missing.h"

#include <QKeySequence>
#include <QObject>

#include <vector>

class QAction;

namespace roundpipe::ui::pages {

enum class NoEngine { kLoading, kFailed, kNotSetUp }; // why there is none

// Each action's text, tool tip and whether it is allowed follow the run's state.
class RunCommands : public QObject {
    Q_OBJECT
public:
    RunCommands(document::Document& document, bridge::RunController& run, bridge::ExportController& exports,
                bridge::ChatController& chat, bridge::QueueController& queue, QObject* parent = nullptr);

    // Where something is missing, it says so and leads there; so to set-up. During an export none starts: both want
    // all of the memory; nor silently on devices on which the queue trains. A model to talk with leaves first.
    QAction* start() const { return m_start; }
    QAction* enqueue() const { return m_enqueue; } // likewise; whatever runs meanwhile
    QAction* pause() const { return m_pause; }     // and resume
    QAction* stop() const { return m_stop; }
    QAction* discard() const { return m_discard; } // stop and write nothing more
    QAction* save() const { return m_save; }
    QAction* validate() const { return m_validate; }
    QAction* sample() const { return m_sample; }

    // What the pages lack, put together by the window.
    void setMissing(std::vector<Missing> missing);
    const std::vector<Missing>& missing() const { return m_missing; }
    void setNoEngine(NoEngine why); // until there is one

    void startBesideQueue(); // on devices on which it trains
    void startAnyway();      // whatever estimates say

    // The project whose run is on show, where that is not the open one: another was opened while the run went on.
    // Empty: the run is the open project's, or there is none.
    const QString& otherProject() const { return m_otherProject; }

signals:
    void missingMet(const roundpipe::ui::pages::Missing& missing); // Start was asked for, and this is the first thing
    void queueWanted();                // the project is to wait in line, and nothing is missing
    void promptsWanted();              // "Sample now" was asked for, and the project has none
    void setUpWanted();                // Start was asked for where the engine is not set up
    void exportMet();                  // Start was asked for during an export
    void queueMet(const QString& run); // Start was asked for, and the queue trains this one on the same devices
    void
    doubted(const roundpipe::ui::pages::Missing& estimate); // Start was asked for, and this alone speaks against it

private:
    const Missing* firstMissing(bool isEstimate) const; // null: there is none
    QAction* make(const QString& text, const QString& toolTip, const QKeySequence& keys = {});
    void followProject();
    void startRun();
    void startUnlessTaken();
    void enqueueProject();
    void sampleNow();
    bool isNotSetUp() const { return !m_run.hasEngine() && m_noEngine == NoEngine::kNotSetUp; }
    bool isDoubted() const; // a start now; by an estimate alone
    QString startText() const;
    QString startToolTip() const;
    void update();

    document::Document& m_document;
    bridge::RunController& m_run;
    bridge::ExportController& m_exports;
    bridge::ChatController& m_chat;
    bridge::QueueController& m_queue;
    std::vector<Missing> m_missing;
    NoEngine m_noEngine = NoEngine::kLoading;
    QString m_runsProject; // its name, when the run began
    QString m_otherProject;
    QAction* m_start;
    QAction* m_enqueue;
    QAction* m_pause;
    QAction* m_stop;
    QAction* m_discard;
    QAction* m_save;
    QAction* m_validate;
    QAction* m_sample;
};

} // namespace roundpipe::ui::pages
