// SPDX-License-Identifier: GPL-3.0-or-later
// What the open project would run like: the one question to the planner that all pages share, asked anew with each
// change that counts.
#pragma once

#include "session/spec_remark.h"
#include "ui/bridge/planner_controller.h"
#include "ui/bridge/run_controller.h"
#include "ui/bridge/workbench_controller.h"
#include "ui/document/document.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <optional>
#include <string>
#include <vector>

namespace roundpipe::ui::pages {

// Asked anew, too, when measured times of layers have come, whoever measured them: what is on show is what a run would
// begin with. Nothing is asked during a run, which is not to be disturbed by a measurement: what was known of the
// project before stays. Nothing is known without a model, nor of a project that was just opened.
class ProjectPlan : public QObject {
    Q_OBJECT
public:
    ProjectPlan(document::Document& document, bridge::WorkbenchController& workbench, bridge::RunController& run,
                bridge::PlannerController& planner, QObject* parent = nullptr);

    // As session::Planner::ask has it; "this" at first.
    void setRig(std::string rig);
    const std::string& rig() const { return m_rig; }

    // What is asked at present, for others who ask the same of something else; not before there is a model.
    bool hasQuestion() const;
    session::PlanQuestion question() const;
    // What these settings would do by estimated times alone. Measured times are of what was run, so that settings can
    // be compared by two such answers only: what they differ by holds for measured times too.
    session::PlanQuestion estimateOf(const session::RunSpec& spec) const;
    uint64_t number() const { return m_number; } // grows with each question
    // Of the project's examples, as far as they have been counted.
    session::RunLengths lengths() const;
    // A run of these settings on the project's examples.
    session::RunSteps stepsOf(const session::RunSpec& spec) const;
    // All of its steps; nothing where their number is not known.
    std::optional<double> wholeSecondsOf(const session::RunSpec& spec, const session::PlanAnswer& answer) const;

    // What is known; null where nothing is, for the reason in problem() and advice(), or because nothing was asked.
    const session::PlanAnswer* answer() const { return m_planner.update().answer.get(); }
    std::shared_ptr<const session::PlanAnswer> shared() const { return m_planner.update().answer; }
    QString problem() const { return QString::fromStdString(m_planner.update().problem); }
    ErrorKind problemKind() const { return m_planner.update().problemKind; }
    QString advice() const { return QString::fromStdString(m_planner.update().advice); }
    bool isOld() const { return m_planner.isOld(); }         // about the settings before the last change
    bool isWorking() const { return m_planner.isWorking(); } // more is to come

    // What deserves a word of the project's settings, as far as its model and rows are known.
    std::vector<session::SpecRemark> remarks() const;
    std::vector<session::ExportRemark> refusals() const; // of the result, by other programs; empty until it is planned

signals:
    void changed(); // any of the above

private:
    void ask();
    void watchMeasuredTimes();

    document::Document& m_document;
    bridge::WorkbenchController& m_workbench;
    bridge::RunController& m_run;
    bridge::PlannerController& m_planner;
    std::string m_rig = "this";
    bool m_knewLengths = false;
    uint64_t m_number = 0;
    QFileSystemWatcher m_measuredTimes; // of their folder
    QTimer m_askSoon;                   // they come a file at a time
};

} // namespace roundpipe::ui::pages
