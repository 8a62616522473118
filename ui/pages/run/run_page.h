// A run, live: numbers, loss, answers, partition and timeline.
#pragma once

#include "ui/bridge/run_controller.h"
#include "ui/theme/theme_manager.h"

#include <QStringList>
#include <QWidget>

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

class RunPage : public QWidget {
    Q_OBJECT
public:
    RunPage(bridge::RunController& controller, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setPrompts(const QStringList& prompts);
    timeline::TimelineView& timelineView() { return *m_timeline; }
    charts::LossChart& lossChart() { return *m_chart; }

private:
    QWidget* buildTiles();
    QWidget* buildTabs();
    void connectController();
    void begin();
    void showPlan(const session::RunPlan& plan);
    void showNumbers();
    void log(const QString& line);

    bridge::RunController& m_controller;
    QStringList m_prompts;
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
