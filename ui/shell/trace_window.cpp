// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/trace_window.h"

#include "ui/models/trace_facts.h"
#include "ui/shell/message_banner.h"
#include "ui/shell/timeline_exports.h"
#include "ui/theme/theme.h"
#include "ui/timeline/painting/slice_text.h"
#include "ui/timeline/panels/comparison_table.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/toast.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QSplitter>
#include <QStatusBar>
#include <QVBoxLayout>

namespace roundpipe::ui::shell {
namespace {

constexpr QSize kTraceWindowSize(1400, 800), kSmallestTraceWindow(1100, 700);

} // namespace

TraceWindow::TraceWindow(theme::ThemeManager& themes, timeline::Gestures gestures, int64_t budgetBytes, QWidget* parent)
    : QMainWindow(parent)
    , m_themes(themes)
    , m_budgetBytes(budgetBytes)
    , m_across(new QSplitter(Qt::Horizontal))
    , m_splitter(new QSplitter(Qt::Vertical))
    , m_facts(new widgets::ElidedLabel)
    , m_progress(new QProgressBar)
    , m_banner(new MessageBanner)
    , m_table(new timeline::ComparisonTable(themes)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAcceptDrops(true);
    setWindowTitle(tr("Trace"));
    m_across->addWidget(m_splitter);
    m_across->addWidget(m_table);
    m_across->setStretchFactor(0, 1);
    m_across->setStretchFactor(1, 0);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(theme::kSpacing, 12, theme::kSpacing, theme::kSpacing);
    for (QSplitter* split : {m_across, m_splitter})
        split->setHandleWidth(theme::kSpacing);
    m_facts->setObjectName(QStringLiteral("dim"));
    m_facts->setProperty("asRecorded", true); // names may have points
    column->addWidget(m_banner);
    column->addWidget(m_facts);
    column->addWidget(m_across, 1);
    setCentralWidget(content);
    m_toast = new widgets::Toast(this);
    for (int i = 0; i < 2; ++i) {
        m_sides[i].view = new timeline::TimelineView(themes);
        m_sides[i].view->setStill();
        m_sides[i].view->plot().setGestures(gestures);
        m_splitter->addWidget(m_sides[i].view);
        connect(&view(i).plot(), &timeline::TimelinePlot::viewChanged, this, [this, i] { link(i); });
        connect(&view(i).plot(), &timeline::TimelinePlot::selectionChanged, this, [this, i] {
            link(i);
            m_exports->update();
            m_soon.start();
        });
        connect(&view(i).plot(), &timeline::TimelinePlot::cursorMoved, this, [this, i] { shareCursor(i); });
        connect(m_sides[i].view, &timeline::TimelineView::counted, this, &TraceWindow::showDifference);
    }
    view(1).hide();
    m_table->hide();
    m_progress->setFormat(tr("reading %p %"));
    m_progress->setFixedWidth(160);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->setSizeGripEnabled(false);
    m_progress->hide();
    m_exports = new TimelineExports(*this, themes, [this] {
        const bool open = m_sides[0].trace != nullptr;
        return TimelineExports::Source{open ? m_sides[0].view : nullptr,
                                       [this] { return m_sides[0].trace->store.snapshot(); }};
    });
    connect(m_exports, &TimelineExports::written, this,
            [this](const QString& path) { m_toast->say(tr("Written to %1.").arg(path)); });
    connect(m_exports, &TimelineExports::failed, m_banner, &MessageBanner::showError);
    buildMenu();
    m_soon.setSingleShot(true);
    m_soon.setInterval(150);
    connect(&m_soon, &QTimer::timeout, this, &TraceWindow::showDifference);
    connect(&m_reader, &bridge::TraceReader::progressed, this, [this](int percent) {
        m_progress->show();
        m_progress->setValue(percent);
    });
    connect(&m_reader, &bridge::TraceReader::opened, this, &TraceWindow::take);
    connect(&m_reader, &bridge::TraceReader::failed, this, [this](const QString& message, const QString& advice) {
        m_progress->hide();
        m_banner->showError(message, advice);
    });
    m_exports->update();
    // Its frame has room, too; the table of differences needs so much beside the timelines.
    resize(kTraceWindowSize.boundedTo(screen()->availableSize() * 0.94).expandedTo(kSmallestTraceWindow));
}

void TraceWindow::buildMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("Open trace…"), QKeySequence::Open, this, [this] { openWithDialog(false); });
    m_compare =
        menu->addAction(tr("Compare with…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, this, [this] { openWithDialog(true); });
    m_compare->setEnabled(false);
    menu->addSeparator();
    menu->addActions({m_exports->exportAll(), m_exports->exportSelection()});
    menu->addSeparator();
    menu->addAction(tr("Close"), QKeySequence::Close, this, &QWidget::close);
}

void TraceWindow::openWithDialog(bool asSecond) {
    const QString path = QFileDialog::getOpenFileName(
        this, asSecond ? tr("Compare with another trace") : tr("Open a trace"), {}, tr("Traces (*.rptrace)"));
    if (path.isEmpty()) return;
    if (asSecond)
        compareWith(path);
    else
        open(path);
}

void TraceWindow::open(const QString& path) {
    m_readsSecond = false;
    m_banner->hide();
    m_reader.open(path, m_budgetBytes);
}

void TraceWindow::compareWith(const QString& path) {
    m_readsSecond = true;
    m_banner->hide();
    m_reader.open(path, m_budgetBytes);
}

void TraceWindow::showRun(const QString& name, trace::TraceSnapshot recorded,
                          std::shared_ptr<bridge::OpenedTrace> predicted) {
    m_readsSecond = false;
    m_second = std::move(predicted);
    m_reader.copy(name, std::move(recorded));
}

void TraceWindow::take(std::shared_ptr<bridge::OpenedTrace> trace) {
    m_progress->hide();
    if (m_readsSecond)
        compareWith(std::move(trace));
    else
        show(std::move(trace));
    if (m_second != nullptr) compareWith(std::exchange(m_second, nullptr));
}

void TraceWindow::fill(Side& side, std::shared_ptr<bridge::OpenedTrace> trace) {
    timeline::TimelinePlot& plot = side.view->plot();
    plot.setStore(&trace->store);
    side.trace = std::move(trace); // the store before is let go of when it is on show no more
    side.view->setName(nameOf(side));
    side.view->setNumDropped(side.trace->numLost);
    plot.setLayerNames([kept = side.trace](LayerId layer) {
        const std::vector<std::string>& names = kept->store.about().layerNames;
        return layer.index() < names.size() ? QString::fromStdString(names[layer.index()]) : QString();
    });
}

void TraceWindow::show(std::shared_ptr<bridge::OpenedTrace> trace) {
    view(1).hide();
    m_table->hide();
    view(0).setNumbersShown(true);
    fill(m_sides[0], std::move(trace));
    const bridge::OpenedTrace& shown = *m_sides[0].trace;
    m_facts->setFullText(models::traceFactsText(shown.store.about().facts));
    setWindowTitle(tr("%1 – trace").arg(nameOf(m_sides[0])));
    if (!shown.isComplete)
        m_banner->showError(tr("This trace has no end: its run still goes on, or was killed."),
                            tr("It is shown up to %1 after its beginning.")
                                .arg(timeline::durationShown(shown.store.endNs() - shown.store.originNs())));
    m_compare->setEnabled(true);
    m_exports->update();
    view(0).plot().setFocus();
    QTimer::singleShot(0, this, &TraceWindow::painted); // queued behind the paint
}

void TraceWindow::compareWith(std::shared_ptr<bridge::OpenedTrace> trace) {
    if (m_sides[0].trace == nullptr) return show(std::move(trace));
    fill(m_sides[1], std::move(trace));
    view(1).show();
    m_table->show();
    for (int i = 0; i < 2; ++i) // the table has them, of both
        view(i).setNumbersShown(false);
    showDifference();
    const int tableWidth = std::min(m_table->neededWidth(), width() * 2 / 5);
    m_across->setSizes({width() - tableWidth, tableWidth});
    m_splitter->setSizes({height(), height()});                 // shares: as high as each other
    QTimer::singleShot(0, this, &TraceWindow::showCommonSteps); // once the views are as wide as they will be
}

// Of one that is longer, or was prepared first, as much as there is to hold the other against.
void TraceWindow::showCommonSteps() {
    if (m_sides[1].trace == nullptr || view(1).isHidden()) return;
    const std::vector<trace::StepSpan>& first = m_sides[0].trace->steps;
    const std::size_t count = std::min(first.size(), m_sides[1].trace->steps.size());
    if (count == 0) return link(0);
    const int64_t spanNs = first[count - 1].endNs - first[0].beginNs;
    view(0).plot().navigation().showRange(first[0].beginNs - spanNs / 50, first[count - 1].endNs + spanNs / 50);
    link(0);
}

// The left edges are at the same moment of the same step. Other stores have other bounds and may not follow all the
// way; the one that is moved is not moved back.
void TraceWindow::link(int from) {
    if (m_linking || m_sides[1].trace == nullptr || view(1).isHidden()) return;
    m_linking = true;
    const Side& source = m_sides[from];
    const Side& target = m_sides[1 - from];
    const timeline::Viewport& on = source.view->plot().scene().view;
    const int64_t beginNs = trace::alignedNs(source.trace->steps, target.trace->steps, on.beginNs());
    target.view->plot().navigation().showRange(beginNs, beginNs + on.spanNs());
    const auto range = source.view->plot().selection();
    if (range)
        target.view->plot().select(trace::alignedNs(source.trace->steps, target.trace->steps, range->beginNs),
                                   trace::alignedNs(source.trace->steps, target.trace->steps, range->endNs));
    else if (target.view->plot().selection())
        target.view->plot().clearSelection();
    m_linking = false;
}

// One cross-hair in both, at the moments that correspond.
void TraceWindow::shareCursor(int from) {
    if (m_linking || m_sides[1].trace == nullptr || view(1).isHidden()) return;
    m_linking = true;
    std::optional<int64_t> timeNs = view(from).plot().cursorNs();
    if (timeNs) timeNs = trace::alignedNs(m_sides[from].trace->steps, m_sides[1 - from].trace->steps, *timeNs);
    view(1 - from).plot().showCursor(timeNs);
    m_linking = false;
}

void TraceWindow::showDifference() {
    if (m_sides[1].trace == nullptr || view(1).isHidden()) return;
    const bool selected = view(0).plot().selection() && view(1).plot().selection();
    const auto isCounted = [](const Side& side) { // what is selected in it
        const timeline::TimeRange range = *side.view->plot().selection();
        const trace::RangeStatistics& counted = side.view->statistics();
        return counted.beginNs == range.beginNs && counted.endNs == range.endNs;
    };
    if (selected && !(isCounted(m_sides[0]) && isCounted(m_sides[1]))) return; // it soon is
    const auto sideOf = [&](const Side& side) {
        return selected ? trace::ComparedSide{side.view->statistics(), 1} : side.trace->steady;
    };
    const auto& larger = m_sides[0].trace->store.lanes().size() >= m_sides[1].trace->store.lanes().size()
                             ? m_sides[0].trace->store.lanes()
                             : m_sides[1].trace->store.lanes();
    m_table->set(trace::compare(sideOf(m_sides[0]), sideOf(m_sides[1])), nameOf(m_sides[0]), nameOf(m_sides[1]),
                 trace::deviceNamesOf(larger));
}

// "my run" of "…/my run/trace.rptrace": what runs write is all called alike.
QString TraceWindow::nameOf(const Side& side) const {
    const QFileInfo file(side.trace->path);
    return file.fileName() == QLatin1String("trace.rptrace") ? file.absoluteDir().dirName() : file.completeBaseName();
}

void TraceWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

// The second of two is compared with the first; one alone is opened.
void TraceWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            return m_sides[0].trace == nullptr ? open(url.toLocalFile()) : compareWith(url.toLocalFile());
}

} // namespace roundpipe::ui::shell
