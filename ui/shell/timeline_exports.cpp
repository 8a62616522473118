// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/timeline_exports.h"

#include "base/error.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/save_dialog.h"

#include <QAction>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

namespace roundpipe::ui::shell {
namespace {

constexpr QSize kPictureSize(1920, 1080); // lower where little is to be shown
constexpr int kPictureWidth = 1920;

} // namespace

TimelineExports::TimelineExports(QMainWindow& window, const theme::ThemeManager& themes, std::function<Source()> source)
    : QObject(&window)
    , m_window(window)
    , m_themes(themes)
    , m_source(std::move(source))
    , m_export(new TraceExport(this))
    , m_all(new QAction(tr("Export the timeline…"), this))
    , m_selection(new QAction(tr("Export the selected range…"), this))
    , m_progress(new QProgressBar)
    , m_cancel(new QToolButton) {
    m_all->setShortcut(Qt::CTRL | Qt::Key_E);
    m_all->setToolTip(tr("Write the timeline for Perfetto, as a picture or as a table (Ctrl+E)"));
    m_selection->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
    connect(m_all, &QAction::triggered, this, [this] { ask(false); });
    connect(m_selection, &QAction::triggered, this, [this] { ask(true); });

    m_progress->setFixedWidth(140);
    m_progress->setRange(0, 100);
    m_progress->setFormat(tr("writing %p %"));
    m_progress->setAccessibleName(tr("Progress of the export"));
    m_cancel->setText(QStringLiteral("✕"));
    m_cancel->setToolTip(tr("Give up the export"));
    m_cancel->setAccessibleName(tr("Give up the export"));
    for (QWidget* widget : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel)}) {
        m_window.statusBar()->addPermanentWidget(widget);
        widget->hide();
    }
    connect(m_cancel, &QToolButton::clicked, m_export, &TraceExport::cancel);
    connect(m_export, &TraceExport::progressed, this, [this](int percent) {
        m_progress->setValue(percent);
        m_progress->show();
        m_cancel->show();
        update();
    });
    connect(m_export, &TraceExport::ended, this, [this] {
        m_progress->hide();
        m_cancel->hide();
        update();
    });
    connect(m_export, &TraceExport::written, this, &TimelineExports::written);
    connect(m_export, &TraceExport::failed, this, &TimelineExports::failed);
}

void TimelineExports::update() {
    const timeline::TimelineView* view = m_source().view;
    const bool any = view != nullptr && !view->plot().scene().store->empty() && !m_export->isBusy();
    m_all->setEnabled(any);
    m_selection->setEnabled(any && view->plot().selection().has_value());
}

void TimelineExports::ask(bool selectionOnly) {
    const QString path =
        widgets::askWhereToSave(&m_window, selectionOnly ? tr("Export the selected range") : tr("Export the timeline"),
                                {{tr("Traces for Perfetto (*.json)"), QStringLiteral("trace.json")},
                                 {tr("Pictures (*.png)"), QStringLiteral("timeline.png")},
                                 {tr("Drawings (*.svg)"), QStringLiteral("timeline.svg")},
                                 {tr("Tables of slices (*.csv)"), QStringLiteral("slices.csv")},
                                 {tr("Statistics (*.csv)"), QStringLiteral("statistics.csv")},
                                 {tr("Traces for the Studio (*.rptrace)"), QStringLiteral("part.rptrace")}});
    if (!path.isEmpty()) exportTo(path, selectionOnly);
}

void TimelineExports::exportTo(const QString& path, bool selectionOnly) {
    const Source source = m_source();
    if (source.view == nullptr || m_export->isBusy() || m_count.isWaiting()) return;
    timeline::TimelinePlot& plot = source.view->plot();
    std::optional<trace::ExportRange> range;
    if (selectionOnly && plot.selection())
        range = trace::ExportRange{plot.selection()->beginNs, plot.selection()->endNs};
    if (path.endsWith(QLatin1String(".png"))) {
        const trace::LaneStore& store = *plot.scene().store;
        return drawTo(path, source, range.value_or(trace::ExportRange{store.beginNs(), store.endNs()}));
    }
    try {
        const trace::ExportFormat format = trace::exportFormatOf(path.toStdString());
        m_export->start(source.snapshot(), path, {format, range, kPictureWidth});
    } catch (const Error& error) {
        emit failed(QString::fromStdString(error.message()), QString::fromStdString(error.advice()) + QLatin1Char(' ') +
                                                                 tr("Here also .png, a picture of points."));
    }
}

// Drawn when its numbers are counted, unless another trace is on show by then.
void TimelineExports::drawTo(const QString& path, const Source& source, const trace::ExportRange& range) {
    m_count.ask([this, path, range, trace = source.snapshot(), store = source.view->plot().scene().store](
                    const std::stop_token& stop) -> timeline::NewestQuestion::Answer {
        auto counted = trace::statisticsOf(trace.slices, trace.lanes, range.beginNs, range.endNs, stop);
        if (!counted) return {};
        return [this, path, store, counted = std::move(*counted)] {
            const timeline::TimelineView* view = m_source().view;
            if (view != nullptr && view->plot().scene().store == store) m_export->start(picture(*view, counted), path);
        };
    });
}

// A view of its own, so that the one on show stands still.
QImage TimelineExports::picture(const timeline::TimelineView& view, const trace::RangeStatistics& statistics) const {
    timeline::TimelineView drawn(m_themes);
    drawn.setStill();
    drawn.hideControls();
    drawn.resize(kPictureSize);
    drawn.plot().setStore(view.plot().scene().store);
    drawn.plot().setLaneChoice(view.plot().laneChoice());
    drawn.ensurePolished();
    drawn.grab(); // lays it out
    drawn.plot().navigation().showRange(statistics.beginNs, statistics.endNs);
    drawn.showStatistics(statistics, false);
    drawn.grab(); // and the numbers
    drawn.resize(drawn.width(), drawn.height() - drawn.spareHeight());
    drawn.grab();
    QImage image(drawn.size() * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(m_themes.theme().window);
    drawn.plot().replot(QCustomPlot::rpImmediateRefresh);
    drawn.render(&image);
    return image;
}

} // namespace roundpipe::ui::shell
