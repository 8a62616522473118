// SPDX-License-Identifier: GPL-3.0-or-later
// A window for traces that were saved: one by itself, or two held against each other.
#pragma once

#include "ui/bridge/trace_reader.h"
#include "ui/theme/theme_manager.h"
#include "ui/timeline/plot/timeline_plot.h"

#include <QMainWindow>
#include <QTimer>

class QProgressBar;
class QSplitter;

namespace roundpipe::ui::timeline {
class ComparisonTable;
class TimelineView;
} // namespace roundpipe::ui::timeline
namespace roundpipe::ui::widgets {
class ElidedLabel;
class Toast;
} // namespace roundpipe::ui::widgets

namespace roundpipe::ui::shell {

class MessageBanner;
class TimelineExports;

// Two traces stand one under the other at one scale, each at the same place of the same step; where one is moved or a
// range is selected, the other follows. The table beside them has the steps after the first, or what is selected.
class TraceWindow : public QMainWindow {
    Q_OBJECT
public:
    // `budgetBytes`: of memory, for each trace.
    TraceWindow(theme::ThemeManager& themes, timeline::Gestures gestures,
                int64_t budgetBytes = trace::LaneStore::kUsualBudgetBytes, QWidget* parent = nullptr);

    void open(const QString& path); // in a thread; replaces what is shown
    void show(std::shared_ptr<bridge::OpenedTrace> trace);
    void compareWith(const QString& path);
    void compareWith(std::shared_ptr<bridge::OpenedTrace> trace); // with the one that is open
    // What a run has recorded so far, beside what was predicted of it.
    void showRun(const QString& name, trace::TraceSnapshot recorded, std::shared_ptr<bridge::OpenedTrace> predicted);
    bool isReading() const { return m_reader.isReading(); }
    timeline::TimelineView& view(int side) const { return *m_sides[side].view; } // 0 or 1
    const timeline::ComparisonTable& table() const { return *m_table; }
    TimelineExports& exports() const { return *m_exports; }
    using QMainWindow::show;

signals:
    void painted(); // after the trace that was opened has been painted first

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Side {
        timeline::TimelineView* view = nullptr;
        std::shared_ptr<bridge::OpenedTrace> trace;
    };
    void buildMenu();
    void openWithDialog(bool asSecond);
    void take(std::shared_ptr<bridge::OpenedTrace> trace);
    void fill(Side& side, std::shared_ptr<bridge::OpenedTrace> trace);
    void link(int from);
    void shareCursor(int from);
    void showCommonSteps();
    void showDifference();
    QString nameOf(const Side& side) const;

    theme::ThemeManager& m_themes;
    const int64_t m_budgetBytes;
    bridge::TraceReader m_reader;
    bool m_readsSecond = false;
    std::shared_ptr<bridge::OpenedTrace> m_second; // to be compared with what is being read
    bool m_linking = false;
    Side m_sides[2];
    QSplitter* m_across;   // timelines, and the table beside them
    QSplitter* m_splitter; // one timeline above the other
    widgets::ElidedLabel* m_facts;
    QProgressBar* m_progress;
    MessageBanner* m_banner;
    widgets::Toast* m_toast;
    timeline::ComparisonTable* m_table;
    TimelineExports* m_exports;
    QAction* m_compare = nullptr;
    QTimer m_soon; // before the differences of a selection are worked out
};

} // namespace roundpipe::ui::shell
