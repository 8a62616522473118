// A run, live: numbers, loss, answers, partition and timeline.
#pragma once

#include "ui/pages/contract/page.h"

#include <optional>
#include <vector>

class QPlainTextEdit;

namespace roundpipe::ui::charts {
class LossChart;
}
namespace roundpipe::ui::models {
class StagesModel;
}
namespace roundpipe::ui::timeline {
class TimelineView;
}
namespace roundpipe::ui::widgets {
class AnswersPane;
class PartitionStrip;
class StatTile;
} // namespace roundpipe::ui::widgets

namespace roundpipe::ui::pages {

class RunPage : public Page {
    Q_OBJECT
public:
    explicit RunPage(const Services& services, QWidget* parent = nullptr);
    PageStatus status() const override;
    timeline::TimelineView& timelineView() { return *m_timeline; }
    charts::LossChart& lossChart() { return *m_chart; }

private:
    QWidget* buildTiles();
    QWidget* buildTabs();
    void connectController();
    void begin();
    void buildCommands();
    void showState();
    void tellTheEnd(session::RunState state);
    void showPlan(const session::RunPlan& plan);
    void showNumbers();
    void log(const QString& line);

    bridge::RunController& m_controller;
    std::vector<QWidget*> m_whileRunning; // commands that mean nothing else
    QWidget* m_start = nullptr;
    std::optional<double> m_firstLoss;
    widgets::StatTile* m_step;
    widgets::StatTile* m_loss;
    widgets::StatTile* m_speed;
    widgets::StatTile* m_remaining;
    widgets::StatTile* m_size;
    charts::LossChart* m_chart;
    widgets::AnswersPane* m_answers;
    models::StagesModel* m_stages;
    QPlainTextEdit* m_log;
    widgets::PartitionStrip* m_partition;
    timeline::TimelineView* m_timeline;
};

} // namespace roundpipe::ui::pages
