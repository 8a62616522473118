// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/timeline/painting/slice_text.h"
#include "ui/timeline/panels/lane_filter.h"
#include "ui/timeline/panels/lane_header.h"
#include "ui/timeline/panels/minimap.h"
#include "ui/timeline/panels/pin_panel.h"
#include "ui/timeline/panels/range_panel.h"
#include "ui/timeline/panels/shortcuts.h"
#include "ui/widgets/help_place.h"
#include "ui/widgets/kind_legend.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

SliceNames namesOfSlices() {
    const auto lower = [](const QString& name) { return name.toLower().toStdString(); };
    SliceNames names;
    for (std::size_t kind = 0; kind < names.kinds.size(); ++kind)
        names.kinds[kind] = lower(theme::kindName(static_cast<trace::Kind>(kind)));
    for (std::size_t reason = 0; reason < names.waits.size(); ++reason)
        names.waits[reason] = lower(theme::idleName(static_cast<trace::IdleReason>(reason)));
    names.step = lower(TimelineView::tr("step"));
    return names;
}

constexpr int kRoomForPanels = 900;
constexpr int kAroundLanes = 190; // height of title, overview, ruler and a legend of two lines
constexpr int kAroundText = 34;   // in a field: its frame and paddings
constexpr int kSlowMs = 150;      // an answer that is later is announced

} // namespace

TimelineView::TimelineView(const theme::ThemeManager& themes, QWidget* parent)
    : Card(tr("Timeline"), parent)
    , m_plot(new TimelinePlot(themes))
    , m_header(new LaneHeader(*m_plot, themes))
    , m_minimap(new Minimap(*m_plot, themes))
    , m_panel(new RangePanel(themes))
    , m_pinPanel(new PinPanel(*m_plot, themes))
    , m_scrollBar(new QScrollBar(Qt::Vertical))
    , m_name(new QLabel) {
    widgets::setHelpPlace(*this, QStringLiteral("timeline.md"));
    buildControls();
    body()->addWidget(m_minimap);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_header);
    row->addWidget(m_plot, 1);
    row->addWidget(m_scrollBar);
    row->addSpacing(14);
    m_panels = buildPanels();
    row->addWidget(m_panels);
    body()->addLayout(row, 1);
    body()->addWidget(buildLegend(themes));
    m_plot->setMinimumHeight(100);
    setTabOrder(m_plot, m_header); // keys work at once; `/` leads to the field, ↑ and ↓ to the devices
    setTabOrder(m_header, m_search);

    connect(m_plot, &TimelinePlot::layoutChanged, this, &TimelineView::updateScrollBar);
    connect(m_plot, &TimelinePlot::layoutChanged, this, &TimelineView::showRoom);
    connect(m_plot, &TimelinePlot::scrollRequested, this,
            [this](int pixels) { m_scrollBar->setValue(m_scrollBar->value() + pixels); });
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this](int value) {
        m_plot->setScroll(value);
        m_header->update();
    });
    connect(m_plot, &TimelinePlot::deviceRequested, m_header, &LaneHeader::choose);
    connect(m_plot, &TimelinePlot::helpRequested, this, [this] { showShortcuts(window(), m_plot->gestures()); });
    connect(m_plot, &TimelinePlot::searchRequested, this, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    m_statisticsTimer.setSingleShot(true);
    m_statisticsTimer.setInterval(200);
    connect(&m_statisticsTimer, &QTimer::timeout, this, &TimelineView::updateStatistics);
    for (QTimer* timer : {&m_slowCount, &m_slowSearch}) {
        timer->setSingleShot(true);
        timer->setInterval(kSlowMs);
    }
    connect(&m_slowCount, &QTimer::timeout, m_panel, [this] { m_panel->setCounting(true); });
    connect(&m_slowSearch, &QTimer::timeout, this, [this] { showSearch(tr("searching…")); });
    connect(m_plot, &TimelinePlot::searching, &m_slowSearch, qOverload<>(&QTimer::start));
    connect(m_plot, &TimelinePlot::searched, this, [this](bool found, bool forwards, bool isAnywhere) {
        showSearch(found         ? QString()
                   : !isAnywhere ? tr("no match")
                   : forwards    ? tr("no later match")
                                 : tr("no earlier match"));
    });
    const auto soon = [this] {
        if (!m_statisticsTimer.isActive()) m_statisticsTimer.start();
    };
    connect(m_plot, &TimelinePlot::viewChanged, this, soon);
    connect(m_plot, &TimelinePlot::selectionChanged, this, soon);
    connect(&m_plot->navigation(), &Navigation::followChanged, this, &TimelineView::showFollow);
    connect(m_plot, &TimelinePlot::pinnedChanged, this, &TimelineView::showPanels);
    connect(m_plot, &TimelinePlot::selectionChanged, this, &TimelineView::showPanels);
    showFollow();
}

// Every colour that lanes can have, hatches of waits too.
QWidget* TimelineView::buildLegend(const theme::ThemeManager& themes) {
    std::vector<trace::Kind> kinds;
    for (int kind = 0; kind < trace::kNumKinds; ++kind)
        if (isWork(static_cast<trace::Kind>(kind))) kinds.push_back(static_cast<trace::Kind>(kind));
    std::vector<trace::IdleReason> reasons;
    for (int reason = 1; reason < trace::kNumIdleReasons; ++reason)
        if (const auto one = static_cast<trace::IdleReason>(reason); one != trace::IdleReason::kPause)
            reasons.push_back(one); // a pause is long enough to say itself what it is
    return new widgets::KindLegend(themes, std::move(kinds), std::move(reasons));
}

// Where there is little room, the lanes have it until something is chosen.
void TimelineView::showPanels() {
    m_pinScroll->setVisible(m_plot->pinned().has_value());
    m_panelScroll->setVisible(!m_plot->pinned());
    // A saved trace is fitted beside them as soon as it is there.
    const bool hasNumbers = m_numbersShown && (m_plot->navigation().isStill() || !m_plot->scene().store->empty());
    m_panels->setVisible(m_plot->pinned() || (hasNumbers && (width() >= kRoomForPanels || m_plot->selection())));
}

// Nor is there an overview where its height is what lanes lack.
void TimelineView::showRoom() {
    const int least = layOutLanes(m_plot->scene().store->lanes(), 0, m_plot->laneChoice()).height;
    m_minimap->setVisible(height() >= kAroundLanes + least);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    showPanels();
    showRoom();
}

// One place for the numbers of a range and for the pinned slice.
QWidget* TimelineView::buildPanels() {
    auto* place = new QWidget;
    auto* column = new QVBoxLayout(place);
    column->setContentsMargins(0, 0, 0, 0);
    const auto scrolled = [&](QWidget* panel) {
        auto* scroll = new QScrollArea;
        scroll->setWidget(panel);
        scroll->setWidgetResizable(true);
        panel->setAutoFillBackground(false); // the card's shows through
        scroll->viewport()->setAutoFillBackground(false);
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        scroll->setFixedWidth(m_panel->width() + 12); // room for its scroll bar
        column->addWidget(scroll);
        return scroll;
    };
    m_panelScroll = scrolled(m_panel);
    m_pinScroll = scrolled(m_pinPanel);
    m_pinScroll->hide();
    return place;
}

void TimelineView::setName(const QString& name) {
    m_name->setText(name);
}

void TimelineView::hideControls() {
    for (QToolButton* button : findChildren<QToolButton*>())
        button->hide();
    m_search->hide();
}

int TimelineView::spareHeight() const {
    const int lanes = TimelinePlot::rulerHeight() + m_plot->scene().layout.height;
    const int numbers = m_panels->isVisibleTo(this) ? m_panel->minimumHeight() : 0;
    return std::max(0, m_plot->height() - std::max(lanes, numbers));
}

void TimelineView::setNumbersShown(bool shown) {
    m_numbersShown = shown;
    showPanels();
}

void TimelineView::setStill() {
    m_plot->navigation().setStill();
    for (QAbstractButton* button : m_follow->buttons())
        button->hide();
    showFollow();
}

void TimelineView::buildControls() {
    m_name->setObjectName(QStringLiteral("dim"));
    titleRow()->insertWidget(1, m_name);
    m_dropped = new QLabel;
    m_dropped->setObjectName(QStringLiteral("dim"));
    m_dropped->hide();
    titleRow()->addWidget(m_dropped);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Find"));
    m_search->setToolTip(tr("Key /. For example: backward S3, m2 step 14, waits"));
    m_search->setAccessibleName(tr("Find slices"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(m_search->fontMetrics().horizontalAdvance(m_search->placeholderText()) + kAroundText);
    m_search->setMaximumWidth(300);
    m_search->installEventFilter(this);
    titleRow()->addWidget(m_search, 1);
    connect(m_search, &QLineEdit::textChanged, this, [this] { showSearch({}); });
    m_searchSays = new QLabel;
    m_searchSays->setObjectName(QStringLiteral("dim"));
    m_searchSays->hide();
    titleRow()->addWidget(m_searchSays);
    m_behind = new QToolButton;
    m_behind->setToolTip(tr("The view stands still; recording goes on. Follow again (L)."));
    connect(m_behind, &QToolButton::clicked, m_plot, [this] { m_plot->navigation().setFollowing(true); });
    titleRow()->addWidget(m_behind);
    buildFollowButtons();
    const auto button = [this](const QString& text, const QString& tip) {
        auto* result = new QToolButton;
        result->setText(text);
        result->setToolTip(tip);
        result->setAccessibleName(tip);
        titleRow()->addWidget(result);
        return result;
    };
    titleRow()->addWidget(new LaneFilter(*m_plot));
    m_plan = button(tr("Plan"), tr("Thin bars below the lanes: each step as it was planned (P)"));
    m_plan->setCheckable(true);
    connect(m_plan, &QToolButton::clicked, m_plot, &TimelinePlot::setPlanShown);
    const auto showPlan = [this] {
        m_plan->setVisible(m_plot->hasPlanned());
        m_plan->setChecked(m_plot->isPlanShown());
    };
    connect(m_plot, &TimelinePlot::planChanged, this, showPlan);
    showPlan();
    connect(button(QStringLiteral("−"), tr("Zoom out (S)")), &QToolButton::clicked, m_plot,
            [this] { m_plot->navigation().zoomBy(1.5); });
    connect(button(QStringLiteral("+"), tr("Zoom in (W)")), &QToolButton::clicked, m_plot,
            [this] { m_plot->navigation().zoomBy(1 / 1.5); });
    connect(button(tr("Fit"), tr("Show the whole run (0)")), &QToolButton::clicked, &m_plot->navigation(),
            &Navigation::fit);
    connect(button(QStringLiteral("?"), tr("Keys and gestures (?)")), &QToolButton::clicked, m_plot,
            &TimelinePlot::helpRequested);
}

void TimelineView::buildFollowButtons() {
    m_follow = new QButtonGroup(this);
    auto* joined = new QHBoxLayout;
    joined->setSpacing(0);
    titleRow()->addLayout(joined);
    const auto add = [this, joined](Follow follow, const char* place, const QString& text, const QString& tip) {
        auto* button = new QToolButton;
        button->setProperty("segment", QLatin1String(place)); // how the theme joins them
        button->setText(text);
        button->setToolTip(tip);
        button->setCheckable(true);
        m_follow->addButton(button, static_cast<int>(follow));
        joined->addWidget(button);
    };
    add(Follow::kNewestSteps, "first", tr("Newest steps"), tr("Keep the last three steps on show (End)"));
    add(Follow::kFixedRange, "middle", tr("Fixed range"), tr("Follow at this scale (L)"));
    add(Follow::kPaused, "last", tr("Frozen"), tr("Let the view stand. The run goes on, and so does its recording."));
    connect(m_follow, &QButtonGroup::idClicked, m_plot,
            [this](int id) { m_plot->navigation().setFollow(static_cast<Follow>(id)); });
}

void TimelineView::showFollow() {
    m_follow->button(static_cast<int>(m_plot->navigation().follow()))->setChecked(true);
    const int64_t behindNs = m_plot->navigation().behindNs();
    m_behind->setVisible(m_plot->scene().live && !m_plot->navigation().isFollowing() && behindNs > 0 &&
                         !m_search->hasFocus()); // what is typed there needs the room
    m_behind->setText(tr("%1 behind · L").arg(durationShown(behindNs)));
    m_panel->setFollowing(m_plot->scene().live && m_plot->navigation().isFollowing());
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)) showFollow();
    if (watched != m_search || event->type() != QEvent::KeyPress) return Card::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        search(!(key->modifiers() & Qt::ShiftModifier));
        return true;
    }
    if (key->key() == Qt::Key_Escape) {
        m_plot->setFocus();
        return true;
    }
    return false;
}

void TimelineView::search(bool forwards) {
    const SliceFilter filter(m_search->text().toLower().toStdString(), namesOfSlices());
    if (!filter.empty()) m_plot->pinNext(filter, forwards);
}

void TimelineView::showSearch(const QString& text) {
    m_slowSearch.stop();
    m_searchSays->setText(text);
    m_searchSays->setVisible(!text.isEmpty());
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

const trace::RangeStatistics& TimelineView::statistics() const {
    return m_panel->statistics();
}

// While data is followed an answer is waited for, as none would ever come if each tick asked anew. What the user does
// is asked at once: nobody waits for the numbers of what is left.
void TimelineView::updateStatistics() {
    m_countAgain = m_count.isWaiting() && m_plot->navigation().isFollowing();
    if (m_countAgain) return;
    const Scene& scene = m_plot->scene();
    const auto selection = m_plot->selection();
    const int64_t beginNs = selection ? selection->beginNs : std::max(scene.view.beginNs(), scene.store->beginNs());
    const int64_t endNs = selection ? selection->endNs : std::min(scene.view.endNs(), scene.newestNs());
    if (!m_slowCount.isActive()) m_slowCount.start();
    m_count.ask([this, trace = scene.store->snapshot(), open = scene.open, beginNs, endNs,
                 selected = selection.has_value()](const std::stop_token& stop) -> NewestQuestion::Answer {
        auto found = trace::statisticsOf(trace.slices, trace.lanes, beginNs, endNs, stop, open);
        if (!found) return {};
        return [this, found = std::move(*found), selected] { showStatistics(found, selected); };
    });
}

void TimelineView::showStatistics(const trace::RangeStatistics& statistics, bool selected) {
    m_slowCount.stop();
    m_header->setStatistics(statistics);
    m_panel->set(statistics, selected);
    showFollow();
    showPanels();
    if (m_countAgain) m_statisticsTimer.start();
    emit counted();
}

} // namespace roundpipe::ui::timeline
