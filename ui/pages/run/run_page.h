// SPDX-License-Identifier: GPL-3.0-or-later
// A run, live: numbers, charts, findings, answers, stages and the timeline.
#pragma once

#include "session/run/findings.h"
#include "trace/store/lane_store.h"
#include "ui/charts/run_history.h"
#include "ui/pages/contract/page.h"

#include <QElapsedTimer>

#include <optional>
#include <vector>

class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QToolButton;

namespace roundpipe::ui::models {
class StagesModel;
}
namespace roundpipe::ui::timeline {
class TimelineView;
}
namespace roundpipe::ui::widgets {
class PartitionStrip;
} // namespace roundpipe::ui::widgets

namespace roundpipe::ui::pages {

class ChartCard;
class FindingsPane;
class RunTiles;
class SamplesPane;

class RunPage : public Page {
    Q_OBJECT
public:
    explicit RunPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    timeline::TimelineView& timelineView() { return *m_timeline; }

    // Numbers, charts and lists as one line, so that the timeline has the page (F11).
    void setFolded(bool folded);
    bool isFolded() const { return m_isFolded; }
    void showStepOnTimeline(int64_t step); // counted from 1; no-op where the trace has none of it

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildCards();
    QWidget* buildTabs();
    QWidget* buildFoldedLine();
    ChartCard* buildChart(const QString& key, std::optional<charts::Quantity> atFirst);
    void buildFold();
    void buildCommands();
    void connectController();
    void connectLog();
    void begin();
    void forgetRun();
    void clear();
    void sayWhose(const QString& text);
    void askToStop();
    void continueRun();
    bool canContinue() const; // as far as it is known here
    bool hasResults() const;
    void showResults();
    void followLibrary();
    void showState();
    void showRoom();
    void showPrompts(const std::vector<std::string>& prompts);
    void showPrediction();
    void endPrediction();
    void showForeseen();
    void tellTheEnd(session::RunState state);
    void showPlan(const session::RunPlan& plan);
    void stepDone(const session::StepMetrics& metrics);
    void validated(int64_t step, double loss);
    void showNumbers();
    void showFindings();
    void log(const QString& line);

    bridge::RunController& m_controller;
    std::vector<QWidget*> m_whileRunning; // commands that mean nothing else
    QString m_runOfProject;               // the folder of its newest one; empty: there is none
    bool m_isUnfinished = false;          // that run
    QPushButton* m_start = nullptr;
    QPushButton* m_results = nullptr;
    QWidget* m_continue = nullptr;
    std::vector<session::LossPoint> m_validations;
    charts::RunHistory m_history;
    QElapsedTimer m_sinceFindings; // worked out every second or two, however fast steps are
    QElapsedTimer m_sinceCharts;
    trace::LaneStore m_predicted;                          // a step, until the run has a trace of its own
    std::shared_ptr<const session::PlanAnswer> m_foreseen; // of the run's own stages; null: not known
    QString m_whatRuns;                                    // its name, then its model and cuts
    bool m_isFolded = false;
    bool m_predicts = false;

    RunTiles* m_tiles;
    ChartCard* m_chart = nullptr;
    ChartCard* m_secondChart = nullptr; // where there is room for two
    FindingsPane* m_findings;
    SamplesPane* m_samples;
    models::StagesModel* m_stages;
    QPlainTextEdit* m_log;
    widgets::PartitionStrip* m_partition;
    timeline::TimelineView* m_timeline;
    QWidget* m_cards = nullptr;
    QWidget* m_foldedLine = nullptr;
    QToolButton* m_fold = nullptr;
};

} // namespace roundpipe::ui::pages
