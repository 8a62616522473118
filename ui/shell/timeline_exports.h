// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of a window that write its timeline, or the range selected in it, to a file: dialog, thread, progress.
#pragma once

#include "trace/analysis/statistics.h"
#include "trace/files/trace_export.h"
#include "ui/shell/trace_export.h"
#include "ui/timeline/plot/newest_question.h"

#include <QMainWindow>

#include <functional>

class QAction;
class QProgressBar;
class QToolButton;

namespace roundpipe::ui::timeline {
class TimelineView;
}
namespace roundpipe::ui::theme {
class ThemeManager;
}

namespace roundpipe::ui::shell {

// The format follows from the name's ending: .png as the window draws it, the others as trace::exportFormatOf has them.
class TimelineExports : public QObject {
    Q_OBJECT
public:
    struct Source {
        timeline::TimelineView* view = nullptr; // null: there is none to export at present
        std::function<trace::TraceSnapshot()> snapshot;
    };
    // `source` is asked whenever something is to be written. Progress stands in the window's status bar.
    TimelineExports(QMainWindow& window, const theme::ThemeManager& themes, std::function<Source()> source);

    QAction* exportAll() const { return m_all; }
    QAction* exportSelection() const { return m_selection; }
    void exportTo(const QString& path, bool selectionOnly);
    void update(); // what can be exported has changed

signals:
    void written(const QString& path);
    void failed(const QString& message, const QString& advice);

private:
    void ask(bool selectionOnly);
    void drawTo(const QString& path, const Source& source, const trace::ExportRange& range);
    QImage picture(const timeline::TimelineView& view, const trace::RangeStatistics& statistics) const;

    QMainWindow& m_window;
    const theme::ThemeManager& m_themes;
    std::function<Source()> m_source;
    TraceExport* m_export;
    timeline::NewestQuestion m_count{*this}; // the numbers on a picture
    QAction* m_all;
    QAction* m_selection;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
};

} // namespace roundpipe::ui::shell
