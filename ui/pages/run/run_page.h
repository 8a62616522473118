// SPDX-License-Identifier: GPL-3.0-or-later
// A run, live: numbers, charts, findings, answers, stages and the timeline.
#pragma once

#include "session/run/findings.h"
#include "ui/charts/run_history.h"
#include "ui/pages/contract/page.h"

#include <QElapsedTimer>

#include <optional>
#include <vector>

class QPushButton;
class QSplitter;
class QToolButton;

namespace roundpipe::ui::timeline {
class TimelineView;
}

namespace roundpipe::ui::pages {

class ChartCard;
class FindingsPane;
class RunLog;
class RunTiles;
class SamplesPane;
class StagesTab;
class TimelineForecast;
class UnfinishedRun;

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
    void begin();
    void forgetRun();
    void clear();
    QString otherName() const;
    void sayWhose(const QString& text, const QStringList& shorter = {});
    bool hasResults() const;
    void showResults();
    void showState();
    void showRoom();
    void showPrompts(const std::vector<std::string>& prompts);
    void sayForecast();
    void tellTheEnd(session::RunState state);
    void showPlan(const session::RunPlan& plan);
    void stepDone(const session::StepMetrics& metrics);
    void validated(int64_t step, double loss);
    void showNumbers();
    void showFindings();

    bridge::RunController& m_controller;
    std::vector<QWidget*> m_whileRunning; // commands that mean nothing else
    QPushButton* m_enqueue = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_results = nullptr;
    QPushButton* m_continue = nullptr;
    std::vector<session::LossPoint> m_validations;
    charts::RunHistory m_history;
    QElapsedTimer m_sinceFindings; // worked out every second or two, however fast steps are
    QElapsedTimer m_sinceCharts;
    QString m_whatRuns; // its name, then its model and cuts
    QStringList m_whatRunsShorter;
    bool m_isFolded = false;

    RunTiles* m_tiles;
    ChartCard* m_chart = nullptr;
    ChartCard* m_secondChart = nullptr; // where there is room for two
    FindingsPane* m_findings;
    SamplesPane* m_samples;
    StagesTab* m_stages;
    RunLog* m_log;
    timeline::TimelineView* m_timeline;
    TimelineForecast* m_forecast;
    UnfinishedRun* m_unfinished;
    QWidget* m_cards = nullptr;
    QWidget* m_foldedLine = nullptr;
    QToolButton* m_fold = nullptr;
};

} // namespace roundpipe::ui::pages
