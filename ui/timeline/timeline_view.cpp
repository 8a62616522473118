#include "ui/timeline/timeline_view.h"

#include "ui/timeline/kind_legend.h"
#include "ui/timeline/lane_header.h"
#include "ui/timeline/range_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace roundpipe::ui::timeline {

TimelineView::TimelineView(const theme::ThemeManager& themes, QWidget* parent)
    : Card(tr("Timeline"), parent)
    , m_plot(new TimelinePlot(themes))
    , m_header(new LaneHeader(m_plot->scene(), TimelinePlot::rulerHeight(), themes))
    , m_panel(new RangePanel(themes))
    , m_scrollBar(new QScrollBar(Qt::Vertical)) {
    buildControls();
    body()->addWidget(new KindLegend(themes));
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_header);
    row->addWidget(m_plot, 1);
    row->addWidget(m_scrollBar);
    row->addSpacing(14);
    auto* panelScroll = new QScrollArea;
    panelScroll->setWidget(m_panel);
    panelScroll->setWidgetResizable(true);
    m_panel->setAutoFillBackground(false); // the card's shows through
    panelScroll->viewport()->setAutoFillBackground(false);
    panelScroll->setFrameShape(QFrame::NoFrame);
    panelScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    panelScroll->setFixedWidth(m_panel->width() + 12); // room for its scroll bar
    row->addWidget(panelScroll);
    body()->addLayout(row, 1);
    m_plot->setMinimumHeight(120);

    connect(m_plot, &TimelinePlot::layoutChanged, this, &TimelineView::updateScrollBar);
    connect(m_plot, &TimelinePlot::scrollRequested, this,
            [this](int pixels) { m_scrollBar->setValue(m_scrollBar->value() + pixels); });
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this](int value) {
        m_plot->setScroll(value);
        m_header->update();
    });
    m_statisticsTimer.setSingleShot(true);
    m_statisticsTimer.setInterval(200);
    connect(&m_statisticsTimer, &QTimer::timeout, this, &TimelineView::updateStatistics);
    const auto soon = [this] {
        if (!m_statisticsTimer.isActive()) m_statisticsTimer.start();
    };
    connect(m_plot, &TimelinePlot::viewChanged, this, soon);
    connect(m_plot, &TimelinePlot::selectionChanged, this, soon);
}

void TimelineView::buildControls() {
    m_dropped = new QLabel;
    m_dropped->setObjectName(QStringLiteral("dim"));
    m_dropped->hide();
    titleRow()->addWidget(m_dropped);
    const auto button = [this](const QString& text, const QString& tip) {
        auto* result = new QToolButton;
        result->setText(text);
        result->setToolTip(tip);
        titleRow()->addWidget(result);
        return result;
    };
    auto* hint = new QLabel(tr("wheel: zoom · drag: pan · Shift+drag: measure"));
    hint->setObjectName(QStringLiteral("dim"));
    titleRow()->addWidget(hint);
    connect(button(QStringLiteral("−"), tr("Zoom out (S)")), &QToolButton::clicked, m_plot,
            [this] { m_plot->zoomBy(1.5); });
    connect(button(QStringLiteral("+"), tr("Zoom in (W)")), &QToolButton::clicked, m_plot,
            [this] { m_plot->zoomBy(1 / 1.5); });
    connect(button(tr("Fit"), tr("Show the whole run (0)")), &QToolButton::clicked, m_plot, &TimelinePlot::fit);
    m_follow = button(tr("Follow"), tr("Keep the newest steps on show (L). Recording never pauses."));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    connect(m_follow, &QToolButton::toggled, m_plot, &TimelinePlot::setFollowing);
    connect(m_plot, &TimelinePlot::followingChanged, m_follow, &QToolButton::setChecked);
}

void TimelineView::setNumDropped(uint64_t numDropped) {
    m_dropped->setVisible(numDropped > 0);
    m_dropped->setText(tr("%1 events lost").arg(numDropped));
}

void TimelineView::updateScrollBar() {
    const int visible = m_plot->height() - TimelinePlot::rulerHeight();
    const int hidden = std::max(0, m_plot->scene().layout.height - visible);
    m_scrollBar->setRange(0, hidden);
    m_scrollBar->setPageStep(visible);
    m_scrollBar->setVisible(hidden > 0);
    m_header->update();
}

trace::RangeStatistics TimelineView::statistics() const {
    const Scene& scene = m_plot->scene();
    const auto selection = m_plot->selection();
    const int64_t beginNs = selection ? selection->beginNs : std::max(scene.view.beginNs(), scene.store->beginNs());
    const int64_t endNs = selection ? selection->endNs : std::min(scene.view.endNs(), scene.store->endNs());
    return trace::statisticsOf(*scene.store, beginNs, endNs);
}

void TimelineView::updateStatistics() {
    m_panel->set(statistics(), m_plot->selection().has_value());
}

} // namespace roundpipe::ui::timeline
