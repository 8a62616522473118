// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/plot/timeline_plot.h"

#include "ui/timeline/painting/opaque_buffer.h"
#include "ui/timeline/painting/ruler_ticker.h"
#include "ui/timeline/painting/slice_text.h"
#include "ui/timeline/painting/step_band.h"
#include "ui/timeline/painting/tip_place.h"

#include <QScreen>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kAroundEmptyText = 24; // pixels at its sides
constexpr int kFetchMs = 40;         // between looks whether slices have come from the disk

} // namespace

TimelinePlot::TimelinePlot(const theme::ThemeManager& themes, QWidget* parent)
    : QCustomPlot(parent), m_themes(themes), m_overlay(*this, m_scene, m_pointer, m_themes), m_tip(themes, this) {
    m_scene.store = &m_empty;
    setInteractions(QCP::iNone);
    setNoAntialiasingOnDrag(true);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline of stages and transfers"));
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins(QMargins(0, rulerHeight(), 0, 0));
    xAxis->setVisible(false);
    yAxis->setVisible(false);
    xAxis2->setVisible(true);
    xAxis2->setTicker(QSharedPointer<QCPAxisTicker>(new RulerTicker(m_scene)));
    xAxis2->grid()->setVisible(true);
    xAxis2->setTickLabelPadding(3);
    addLayer(QStringLiteral("lanes"), layer(QStringLiteral("main")));
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical); // all layers share one buffer
    mPaintBuffers = {QSharedPointer<QCPAbstractPaintBuffer>(
        new OpaqueBuffer(viewport().size(), bufferDevicePixelRatio(), m_themes))};
    auto* painter = new LanePainter(xAxis2, yAxis, m_scene, m_themes); // owned by the plot
    painter->setLayer(QStringLiteral("lanes"));
    m_fetching.setSingleShot(true);
    m_fetching.setInterval(kFetchMs);
    connect(&m_fetching, &QTimer::timeout, this, [this] { replot(rpQueuedReplot); });
    connect(this, &QCustomPlot::afterReplot, this, [this, painter] {
        if (!painter->isComplete()) m_fetching.start();
    });
    new StepBand(this, QStringLiteral("lanes"), m_scene, m_themes); // owned by its layer's plot
    connect(&themes, &theme::ThemeManager::changed, this, &TimelinePlot::applyTheme);
    connect(&m_navigation, &Navigation::moved, this, &TimelinePlot::applyView);
    connect(&m_navigation, &Navigation::resumed, this, &TimelinePlot::dataArrived);
    connect(&m_navigation, &Navigation::arrived, this, &TimelinePlot::hoverAgain);
    applyTheme();
}

void TimelinePlot::applyTheme() {
    const theme::Theme& theme = m_themes.theme();
    xAxis2->setBasePen(QPen(theme.border));
    xAxis2->setTickPen(QPen(theme.border));
    xAxis2->setSubTickPen(QPen(theme.border));
    xAxis2->setTickLabelColor(theme.dim);
    xAxis2->setTickLabelFont(font());
    QColor line = theme.border;
    line.setAlpha(120);
    xAxis2->grid()->setPen(QPen(line, 1));
    xAxis2->grid()->setZeroLinePen(QPen(line, 1));
    replot(rpQueuedReplot);
}

void TimelinePlot::setStore(const trace::LaneStore* store) {
    m_scene.store = store != nullptr ? store : &m_empty;
    lanesChanged();
}

void TimelinePlot::lanesChanged() {
    m_search.forget();
    m_pointer = {};
    m_choice = {};
    m_planned.reset();
    m_scene.open.clear();
    m_scene.openUntilNs = 0;
    relayout();
    m_navigation.startOver();
    applyView();
    emit selectionChanged();
    emit pinnedChanged();
    emit bookmarksChanged();
    emit planChanged();
}

const trace::Record* TimelinePlot::hovered() const {
    if (!m_pointer.lane || !m_pointer.slice) return nullptr;
    return &m_scene.store->slices(*m_pointer.lane)[*m_pointer.slice];
}

QString TimelinePlot::layerName(LayerId layer) const {
    return m_layerNames && layer.valid() ? m_layerNames(layer) : QString();
}

// What is newest never moves back, also where a slice is over before its record is here.
void TimelinePlot::setOpen(std::vector<trace::Record> open, int64_t nowNs) {
    if (!open.empty()) m_scene.openUntilNs = std::max(m_scene.openUntilNs, nowNs);
    m_scene.open = std::move(open);
}

void TimelinePlot::dataArrived() {
    const bool isOnShow = m_navigation.dataArrived();
    if (m_scene.store->empty()) return;
    if (!isOnShow || !isVisible() || window()->isMinimized()) {
        emit viewChanged(); // how far behind it is
        return;
    }
    applyView();
    hoverAgain();
}

// Other slices have come under the mouse.
void TimelinePlot::hoverAgain() {
    if (m_mouse && !m_gestures.isDragging()) hover(*m_mouse);
}

void TimelinePlot::applyView() {
    const int64_t originNs = m_scene.store->originNs();
    xAxis2->setRange(static_cast<double>(m_scene.view.beginNs() - originNs) * 1e-9,
                     static_cast<double>(m_scene.view.endNs() - originNs) * 1e-9);
    showPlanned();
    replot(rpQueuedReplot);
    emit viewChanged();
}

void TimelinePlot::showPlanned() {
    const bool shown = m_planned && m_planShown && m_planned->isOf(m_scene.store->lanes());
    m_scene.planned = shown ? m_planned.get() : nullptr;
    m_scene.steps = shown ? stepsOnShow(*m_scene.store, m_scene.view, m_scene.live) : std::vector<StepOnShow>();
    std::erase_if(m_scene.steps, [this](StepOnShow& step) {
        const auto turn = m_planned->turnOf(*m_scene.store, step);
        step.turn = turn.value_or(0);
        return !turn;
    });
}

void TimelinePlot::setPlanned(std::shared_ptr<const PlannedSteps> planned) {
    m_planned = std::move(planned);
    applyView();
    emit planChanged();
}

void TimelinePlot::setPlanShown(bool shown) {
    m_planShown = shown;
    applyView();
    emit planChanged();
}

void TimelinePlot::relayout() {
    m_scene.layout = layOutLanes(m_scene.store->lanes(), height() - rulerHeight(), m_choice);
    emit layoutChanged();
}

void TimelinePlot::setLive(bool live) {
    if (m_scene.live == live) return;
    m_scene.live = live;
    replot(rpQueuedReplot);
}

void TimelinePlot::setEmptyText(const QString& text) {
    if (m_emptyText == text) return;
    m_emptyText = text;
    if (m_scene.isEmpty()) update();
}

void TimelinePlot::select(int64_t beginNs, int64_t endNs) {
    m_pointer.selection = TimeRange{beginNs, endNs};
    update();
    emit selectionChanged();
}

void TimelinePlot::setLaneChoice(LaneChoice choice) {
    m_choice = std::move(choice);
    relayout();
    replot(rpQueuedReplot);
}

void TimelinePlot::setScroll(int pixels) {
    m_scene.scroll = pixels;
    replot(rpQueuedReplot);
}

std::optional<TimeRange> TimelinePlot::chosenRange() const {
    if (!m_pointer.pinned) return m_pointer.selection;
    return TimeRange{m_pointer.pinned->slice.startNs, m_pointer.pinned->slice.endNs};
}

void TimelinePlot::zoomToChosen() {
    if (const auto chosen = chosenRange()) m_navigation.zoomTo(chosen->beginNs, chosen->endNs);
}

void TimelinePlot::centreOnChosen() {
    const auto chosen = chosenRange();
    if (!chosen) return;
    const int64_t middleNs = chosen->beginNs + (chosen->endNs - chosen->beginNs) / 2;
    if (m_navigation.isCentredOn(middleNs)) return zoomToChosen();
    m_navigation.centreOn(middleNs);
}

void TimelinePlot::clearSelection() {
    if (!m_pointer.selection) return;
    m_pointer.selection.reset();
    update();
    emit selectionChanged();
}

void TimelinePlot::pin(const trace::Record& slice) {
    const trace::LaneStore& store = *m_scene.store;
    showPinned({slice, trace::flowOf(store.allSlices(), store.lanes(), slice)});
}

void TimelinePlot::showPinned(Pinned pinned) {
    m_pointer.pinned = std::move(pinned);
    const trace::Record& slice = m_pointer.pinned->slice;
    m_navigation.setFollow(Follow::kPaused);
    if (slice.endNs < m_scene.view.beginNs() || slice.startNs > m_scene.view.endNs())
        m_navigation.showAround(slice.startNs + (slice.endNs - slice.startNs) / 2);
    setAccessibleDescription(slicePlainText(slice, layerName(slice.layer)));
    update();
    emit pinnedChanged();
}

void TimelinePlot::unpin() {
    if (!m_pointer.pinned) return;
    m_pointer.pinned.reset();
    update();
    emit pinnedChanged();
}

void TimelinePlot::pinNext(const SliceFilter& filter, bool forwards, LaneId onlyLane) {
    const int64_t fromNs = m_pointer.pinned ? m_pointer.pinned->slice.startNs
                           : forwards       ? m_scene.view.beginNs() - 1
                                            : m_scene.view.endNs();
    emit searching();
    m_search.ask([this, trace = m_scene.store->snapshot(), filter, from = SearchFrom{fromNs, forwards, onlyLane}](
                     const std::stop_token& stop) -> NewestQuestion::Answer {
        std::optional<Pinned> found;
        if (const auto slice = nextMatch(trace, filter, from, stop))
            found = Pinned{*slice, trace::flowOf(trace.slices, trace.lanes, *slice)};
        constexpr int64_t kBeforeAll = std::numeric_limits<int64_t>::min();
        const bool isAnywhere = found || nextMatch(trace, filter, {kBeforeAll, true, from.onlyLane}, stop);
        return [this, found = std::move(found), forwards = from.forwards, isAnywhere] {
            if (found) showPinned(*found);
            emit searched(found.has_value(), forwards, isAnywhere);
        };
    });
}

void TimelinePlot::pinAlongFlow(bool forwards) {
    if (!m_pointer.pinned) return;
    const Pinned& pinned = *m_pointer.pinned;
    const trace::Record* next = nullptr;
    for (const trace::Record& slice : pinned.flow.slices) {
        if (!isCompute(slice.kind)) continue;
        if (forwards ? slice.startNs > pinned.slice.startNs && next == nullptr : slice.startNs < pinned.slice.startNs)
            next = &slice;
    }
    if (next != nullptr) pin(trace::Record(*next));
}

// At what is chosen, or else at the cursor.
void TimelinePlot::toggleBookmark() {
    const int64_t timeNs = m_pointer.pinned      ? m_pointer.pinned->slice.startNs
                           : m_pointer.selection ? m_pointer.selection->beginNs
                                                 : m_scene.view.timeAt(m_mouse ? m_mouse->x() : width() / 2);
    const auto near = [&](int64_t mark) {
        return std::abs(m_scene.view.xAt(mark) - m_scene.view.xAt(timeNs)) < kHandlePixels;
    };
    if (std::erase_if(m_pointer.bookmarks, near) == 0) m_pointer.bookmarks.push_back(timeNs);
    update();
    emit bookmarksChanged();
}

void TimelinePlot::wheelEvent(QWheelEvent* event) {
    hideTip(); // until what comes under the mouse has come to rest
    m_gestures.wheel(event);
}

void TimelinePlot::mousePressEvent(QMouseEvent* event) {
    m_gestures.press(event);
}

void TimelinePlot::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->pos();
    m_gestures.move(event);
}

void TimelinePlot::mouseReleaseEvent(QMouseEvent* event) {
    m_gestures.release(event);
}

void TimelinePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    m_gestures.doubleClick(event);
}

void TimelinePlot::keyPressEvent(QKeyEvent* event) {
    if (!m_gestures.key(event)) QCustomPlot::keyPressEvent(event);
}

void TimelinePlot::leaveEvent(QEvent*) {
    m_mouse.reset();
    hideTip();
    showCursor({});
}

void TimelinePlot::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    update();
}

void TimelinePlot::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    update();
}

void TimelinePlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    m_navigation.endGlide();
    m_scene.view.setWidth(width());
    relayout();
    applyView();
}

// The lanes as they were painted last, and over them what is pointed at and chosen.
void TimelinePlot::paintEvent(QPaintEvent*) {
    QCPPainter painter(this);
    mPaintBuffers.front()->draw(&painter);
    m_overlay.paint(&painter);
    if (!m_scene.isEmpty()) return;
    painter.setPen(m_themes.theme().dim);
    painter.drawText(rect().adjusted(kAroundEmptyText, 0, -kAroundEmptyText, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptyText);
}

void TimelinePlot::hover(const QPoint& position) {
    QRegion stale = m_overlay.underPointer();
    m_pointer.x = position.x();
    m_pointer.lane.reset();
    m_pointer.slice.reset();
    const LaneRow* row = m_scene.layout.rowAt(position.y() - rulerHeight() + m_scene.scroll);
    if (row != nullptr && position.y() >= rulerHeight()) {
        const auto toleranceNs = static_cast<int64_t>(1.5 * m_scene.view.nsPerPixel());
        const auto hit = sliceAt(m_scene.store->slices(row->lane), m_scene.view.timeAt(position.x()), toleranceNs);
        if (hit) {
            m_pointer.lane = row->lane;
            m_pointer.slice = hit->slice;
            showTip(position, row->lane, *hit);
        }
    }
    if (!m_pointer.slice) hideTip();
    update(stale += m_overlay.underPointer());
    emit cursorMoved();
}

void TimelinePlot::showCursor(std::optional<int64_t> timeNs) {
    QRegion stale = m_overlay.underPointer();
    m_pointer.x.reset();
    m_pointer.lane.reset();
    m_pointer.slice.reset();
    if (timeNs && *timeNs >= m_scene.view.beginNs() && *timeNs <= m_scene.view.endNs())
        m_pointer.x = static_cast<int>(m_scene.view.xAt(*timeNs));
    update(stale += m_overlay.underPointer());
    emit cursorMoved();
}

std::optional<int64_t> TimelinePlot::cursorNs() const {
    if (!m_pointer.x) return std::nullopt;
    return m_scene.view.timeAt(*m_pointer.x);
}

void TimelinePlot::showTip(const QPoint& position, LaneId lane, const Hit& hit) {
    const trace::Record& slice = m_scene.store->slices(lane)[hit.slice];
    m_tip.setText(sliceTooltip(slice, layerName(slice.layer), hit.numSlices));
    const QRect onScreen = screen()->geometry().translated(-mapToGlobal(QPoint()));
    m_tip.showAt(mapToGlobal(tipPlace(position, m_tip.size(), axisRect()->rect(), onScreen, m_overlay.arrows())));
}

void TimelinePlot::hideTip() {
    m_tip.hide();
}

void TimelinePlot::hideEvent(QHideEvent* event) {
    QCustomPlot::hideEvent(event);
    hideTip();
}

// Another window has come to the front.
void TimelinePlot::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && !isActiveWindow()) hideTip();
}

} // namespace roundpipe::ui::timeline
