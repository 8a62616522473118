#include "ui/timeline/timeline_plot.h"

#include "ui/timeline/opaque_buffer.h"
#include "ui/timeline/slice_text.h"
#include "ui/timeline/step_band.h"
#include "ui/timeline/time_axis.h"

#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

constexpr int64_t kFirstSpanNs = 2'000'000'000;
constexpr int kClickPixels = 4;  // less is a click, more is a drag
constexpr int kHandlePixels = 4; // how far from an edge of the selection it can still be taken
constexpr double kZoomANotch = 1.5;
constexpr double kZoomAKey = 0.6;
constexpr int kFastWheelMs = 150; // notches that follow one another faster reach further each time
constexpr double kPaceANotch = 1.25;
constexpr double kMostPace = 3;
constexpr int kGlideMs = 220;
constexpr int kFrameMs = 16;
constexpr int kFetchMs = 40; // between looks whether slices have come from the disk
constexpr std::size_t kHistory = 50;
constexpr int kWheelPauseMs = 700; // turns of the wheel after a longer pause are a new zoom

// The ruler's marks. The axis counts seconds since the store's origin, which doubles carry exactly enough.
class RulerTicker : public QCPAxisTicker {
public:
    explicit RulerTicker(const Scene& scene) : m_scene(scene) {}
    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        ticks.clear();
        if (subTicks != nullptr) subTicks->clear();
        if (labels != nullptr) labels->clear();
        const int64_t originNs = m_scene.store->originNs();
        const Viewport& view = m_scene.view;
        for (const TimeMark& mark : timeMarks(view.beginNs() - originNs, view.endNs() - originNs, view.width(), 110)) {
            const double seconds = static_cast<double>(mark.timeNs) * 1e-9;
            if (mark.label.empty()) {
                if (subTicks != nullptr) subTicks->append(seconds);
                continue;
            }
            ticks.append(seconds);
            if (labels != nullptr) labels->append(QString::fromStdString(mark.label));
        }
    }

private:
    const Scene& m_scene;
};

} // namespace

TimelinePlot::TimelinePlot(const theme::ThemeManager& themes, QWidget* parent)
    : QCustomPlot(parent), m_themes(themes), m_overlay(*this, m_scene, m_pointer, m_themes) {
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
    m_glide.setInterval(kFrameMs);
    connect(&m_glide, &QTimer::timeout, this, &TimelinePlot::glide);
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
    m_history.clear();
    m_choice = {};
    const int64_t originNs = m_scene.store->originNs();
    m_glide.stop();
    m_scene.view.setBounds(originNs, originNs + kFirstSpanNs);
    m_scene.view.show(originNs, originNs + kFirstSpanNs);
    relayout();
    if (!m_still) {
        setFollow(Follow::kNewestSteps);
    } else {
        updateBounds();
        m_scene.view.fit();
    }
    applyView();
    emit selectionChanged();
    emit pinnedChanged();
    emit bookmarksChanged();
}

const trace::Record* TimelinePlot::hovered() const {
    if (!m_pointer.lane || !m_pointer.slice) return nullptr;
    return &m_scene.store->slices(*m_pointer.lane)[*m_pointer.slice];
}

QString TimelinePlot::layerName(LayerId layer) const {
    return m_layerNames && layer.valid() ? m_layerNames(layer) : QString();
}

// Until there is a whole step, two seconds are there to be filled.
void TimelinePlot::updateBounds() {
    const trace::LaneStore& store = *m_scene.store;
    if (store.empty()) return;
    const bool begins = m_follow == Follow::kNewestSteps && newestStepsNs(store) == 0;
    const int64_t leastNs = begins ? kFirstSpanNs : Viewport::kMinSpanNs;
    m_scene.view.setBounds(store.beginNs(), std::max(store.endNs(), store.beginNs() + leastNs));
}

void TimelinePlot::dataArrived() {
    updateBounds();
    if (m_scene.store->empty()) return;
    const bool concernsView = isFollowing() || m_paintedEndNs <= m_scene.view.endNs();
    m_paintedEndNs = m_scene.store->endNs();
    if (isFollowing()) followData();
    if (!concernsView || !isVisible() || window()->isMinimized()) {
        emit viewChanged(); // how far behind it is
        return;
    }
    applyView();
    if (m_mouse && m_drag == Drag::kNone) hover(*m_mouse); // other slices have come under the mouse
}

void TimelinePlot::followData() {
    Viewport& view = m_scene.view;
    const int64_t wantedNs = m_follow == Follow::kNewestSteps ? newestStepsNs(*m_scene.store) : 0;
    if (wantedNs > 0) view.show(view.endNs() - easedSpanNs(view.spanNs(), wantedNs), view.endNs());
    const int64_t airNs = view.spanNs() / 60;
    view.endAt(m_scene.store->endNs() + airNs);
    view.growFrom(m_scene.store->beginNs() - airNs);
}

int64_t TimelinePlot::behindNs() const {
    return m_scene.store->empty() ? 0 : std::max<int64_t>(0, m_scene.store->endNs() - m_scene.view.endNs());
}

void TimelinePlot::applyView() {
    const int64_t originNs = m_scene.store->originNs();
    xAxis2->setRange(static_cast<double>(m_scene.view.beginNs() - originNs) * 1e-9,
                     static_cast<double>(m_scene.view.endNs() - originNs) * 1e-9);
    replot(rpQueuedReplot);
    emit viewChanged();
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

void TimelinePlot::setStill() {
    m_still = true;
    setLive(false);
    setFollow(Follow::kPaused);
}

void TimelinePlot::showRange(int64_t beginNs, int64_t endNs) {
    endGlide();
    setFollow(Follow::kPaused);
    m_scene.view.show(beginNs, endNs);
    applyView();
}

void TimelinePlot::select(int64_t beginNs, int64_t endNs) {
    m_pointer.selection = TimeRange{beginNs, endNs};
    update();
    emit selectionChanged();
}

// Where the system's style asks for no motion, there is none.
bool TimelinePlot::isAnimated() const {
    return isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
}

Viewport TimelinePlot::goal() const {
    return m_glide.isActive() ? m_glideTo : m_scene.view;
}

void TimelinePlot::glideTo(const Viewport& goal) {
    if (!isAnimated() || isFollowing()) { // what is followed moves by itself
        m_glide.stop();
        m_scene.view = goal;
        return applyView();
    }
    m_glideFrom = m_scene.view;
    m_glideTo = goal;
    m_sinceGlide.start();
    m_glide.start();
    glide();
}

// Spans grow by equal factors, and the begin goes with them in a straight line, so that what keeps its place does so
// all the way.
void TimelinePlot::glide() {
    const double done = std::min(1.0, static_cast<double>(m_sinceGlide.elapsed()) / kGlideMs);
    if (done >= 1) {
        endGlide();
        return applyView();
    }
    const double eased = 1 - std::pow(1 - done, 3);
    const auto from = static_cast<double>(m_glideFrom.spanNs());
    const auto to = static_cast<double>(m_glideTo.spanNs());
    const double span = from * std::pow(to / from, eased);
    const double share = m_glideFrom.spanNs() == m_glideTo.spanNs() ? eased : (span - from) / (to - from);
    const int64_t beginNs =
        m_glideFrom.beginNs() + std::llround(share * static_cast<double>(m_glideTo.beginNs() - m_glideFrom.beginNs()));
    m_scene.view.show(beginNs, beginNs + std::llround(span));
    applyView();
}

void TimelinePlot::endGlide() {
    if (!m_glide.isActive()) return;
    m_glide.stop();
    m_scene.view = m_glideTo;
    if (m_mouse && m_drag == Drag::kNone) hover(*m_mouse);
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

void TimelinePlot::setFollow(Follow follow) {
    if (m_still) follow = Follow::kPaused;
    if (m_follow == follow) return;
    if (follow != Follow::kPaused) endGlide();
    const bool wasFollowing = isFollowing();
    if (follow == Follow::kPaused) m_resumed = m_follow;
    m_follow = follow;
    updateBounds();
    emit followChanged(follow);
    if (wasFollowing != isFollowing()) emit followingChanged(isFollowing());
    if (isFollowing()) dataArrived();
}

// A scale at which the newest data would only race past is none to resume.
void TimelinePlot::setFollowing(bool following) {
    const bool races = m_scene.view.spanNs() * 10 < newestStepsNs(*m_scene.store);
    setFollow(!following ? Follow::kPaused : races ? Follow::kNewestSteps : m_resumed);
}

void TimelinePlot::rememberView() {
    if (m_history.size() == kHistory) m_history.erase(m_history.begin());
    m_history.push_back({goal().beginNs(), goal().endNs()});
}

void TimelinePlot::fit() {
    rememberView();
    setFollow(Follow::kPaused);
    Viewport whole = goal();
    whole.fit();
    glideTo(whole);
}

void TimelinePlot::zoomBy(double factor) {
    rememberView();
    const bool following = isFollowing();
    if (following) setFollow(Follow::kFixedRange);
    Viewport zoomed = goal();
    zoomed.zoomAbout(following ? zoomed.width() : zoomed.width() / 2.0, factor);
    glideTo(zoomed);
    if (!following) return;
    followData();
    applyView();
}

void TimelinePlot::zoomTo(int64_t beginNs, int64_t endNs) {
    rememberView();
    setFollow(Follow::kPaused);
    const int64_t airNs = std::max<int64_t>((endNs - beginNs) / 8, Viewport::kMinSpanNs / 4);
    Viewport there = goal();
    there.show(beginNs - airNs, endNs + airNs);
    glideTo(there);
}

void TimelinePlot::zoomBack() {
    if (m_history.empty()) return;
    const TimeRange last = m_history.back();
    m_history.pop_back();
    setFollow(Follow::kPaused);
    Viewport there = goal();
    there.show(last.beginNs, last.endNs);
    glideTo(there);
}

void TimelinePlot::zoomToChosen() {
    if (m_pointer.pinned)
        zoomTo(m_pointer.pinned->slice.startNs, m_pointer.pinned->slice.endNs);
    else if (m_pointer.selection)
        zoomTo(m_pointer.selection->beginNs, m_pointer.selection->endNs);
}

void TimelinePlot::showAround(int64_t timeNs) {
    endGlide();
    setFollow(Follow::kPaused);
    const int64_t spanNs = m_scene.view.spanNs();
    m_scene.view.show(timeNs - spanNs / 2, timeNs - spanNs / 2 + spanNs);
    applyView();
}

void TimelinePlot::clearSelection() {
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
    setFollow(Follow::kPaused);
    if (slice.endNs < m_scene.view.beginNs() || slice.startNs > m_scene.view.endNs())
        showAround(slice.startNs + (slice.endNs - slice.startNs) / 2);
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
        return [this, found = std::move(found), forwards = from.forwards] {
            if (found) showPinned(*found);
            emit searched(found.has_value(), forwards);
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
    event->accept();
    const QPoint degrees = event->pixelDelta().isNull() ? event->angleDelta() / 8 : event->pixelDelta() / 2;
    if (event->modifiers() & Qt::AltModifier) { // Qt turns the wheel sideways under Alt
        emit scrollRequested(-(degrees.x() + degrees.y()) * 3);
        return;
    }
    const bool sideways = (event->modifiers() & Qt::ShiftModifier) || std::abs(degrees.x()) > std::abs(degrees.y());
    const bool zooms = m_gestures == Gestures::kZoomAndPan || (event->modifiers() & Qt::ControlModifier) ||
                       event->position().y() < rulerHeight();
    if (sideways) {
        endGlide();
        setFollow(Follow::kPaused);
        m_scene.view.panBy(-(degrees.x() + degrees.y()) * 4.0);
        applyView();
    } else if (zooms) {
        zoomWheel(event->position().x(), degrees.y() / 15.0);
    } else {
        return emit scrollRequested(-degrees.y() * 3);
    }
    hover(event->position().toPoint());
}

// A wheel that is turned on and on reaches further with each notch: from an hour to a microsecond in one go.
void TimelinePlot::zoomWheel(double x, double notches) {
    const int64_t sinceMs = m_sinceWheel.isValid() ? m_sinceWheel.elapsed() : kWheelPauseMs + 1;
    if (sinceMs > kWheelPauseMs) rememberView();
    const bool goesOn = sinceMs < kFastWheelMs && (notches > 0) == (m_wheelPace > 0);
    m_wheelPace = std::copysign(goesOn ? std::min(kMostPace, std::abs(m_wheelPace) * kPaceANotch) : 1.0, notches);
    m_sinceWheel.start();
    const bool following = isFollowing(); // then the newest data is what stays in place
    if (following) setFollow(Follow::kFixedRange);
    Viewport zoomed = goal();
    zoomed.zoomAbout(following ? zoomed.width() : x, std::pow(kZoomANotch, -notches * std::abs(m_wheelPace)));
    glideTo(zoomed);
    if (!following) return;
    followData();
    applyView();
}

void TimelinePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    const bool left = event->button() == Qt::LeftButton;
    m_anchorNs = left ? farEdgeAt(event->pos().x()) : std::nullopt;
    const bool plainSelects = m_gestures == Gestures::kScrollAndSelect;
    const bool shifted = event->modifiers() & Qt::ShiftModifier;
    const bool select = left && (m_anchorNs || shifted != plainSelects || event->pos().y() < rulerHeight());
    m_drag = select ? Drag::kSelect : Drag::kPan;
    m_dragStart = event->globalPosition().toPoint();
    m_dragLastX = m_dragStart.x();
    m_pressX = event->pos().x();
    QToolTip::hideText();
}

void TimelinePlot::mouseMoveEvent(QMouseEvent* event) {
    const QPoint global = event->globalPosition().toPoint();
    const bool moved = (global - m_dragStart).manhattanLength() >= kClickPixels;
    m_mouse = event->pos();
    if (m_drag == Drag::kPan && moved) {
        endGlide();
        setFollow(Follow::kPaused);
        setCursor(Qt::ClosedHandCursor);
        m_scene.view.panBy(m_dragLastX - global.x());
        m_dragLastX = global.x();
        applyView();
    } else if (m_drag == Drag::kSelect && moved) {
        setFollow(Follow::kPaused);
        if (!m_anchorNs) m_anchorNs = m_scene.view.timeAt(m_pressX); // not earlier: a followed view moves
        selectTo(event->pos().x());
    }
    if (m_drag != Drag::kNone) return;
    if (farEdgeAt(event->pos().x()))
        setCursor(Qt::SizeHorCursor);
    else
        unsetCursor();
    hover(event->pos());
}

// A click pins the slice under it; beside all slices, and outside of the selection, it clears what is chosen.
void TimelinePlot::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = (event->globalPosition().toPoint() - m_dragStart).manhattanLength() < kClickPixels;
    const bool wasPressed = m_drag != Drag::kNone;
    m_drag = Drag::kNone;
    unsetCursor();
    hover(event->pos());
    if (!wasPressed || !clicked || event->button() != Qt::LeftButton) return;
    if (m_pointer.lane && m_pointer.slice) {
        pin(trace::Record(m_scene.store->slices(*m_pointer.lane)[*m_pointer.slice]));
    } else if (!isInSelection(event->pos().x())) {
        unpin();
        if (m_pointer.selection) clearSelection();
    }
}

void TimelinePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::kNone;
    if (event->button() != Qt::LeftButton) return;
    if (isInSelection(event->pos().x())) {
        zoomTo(m_pointer.selection->beginNs, m_pointer.selection->endNs);
    } else if (m_pointer.lane && m_pointer.slice) {
        const trace::Record& slice = m_scene.store->slices(*m_pointer.lane)[*m_pointer.slice];
        zoomTo(slice.startNs, slice.endNs);
    }
}

void TimelinePlot::leaveEvent(QEvent*) {
    m_mouse.reset();
    m_pointer.x.reset();
    m_pointer.lane.reset();
    m_pointer.slice.reset();
    update();
}

void TimelinePlot::keyPressEvent(QKeyEvent* event) {
    const LaneId pinnedLane = m_pointer.pinned ? m_pointer.pinned->slice.lane : LaneId();
    switch (event->key()) {
    case Qt::Key_W:
        return zoomBy(kZoomAKey);
    case Qt::Key_S:
        return zoomBy(1 / kZoomAKey);
    case Qt::Key_A:
    case Qt::Key_D:
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool later = event->key() == Qt::Key_D || event->key() == Qt::Key_Right;
        endGlide();
        setFollow(Follow::kPaused);
        m_scene.view.panBy((later ? 0.15 : -0.15) * m_scene.view.width());
        return applyView();
    }
    case Qt::Key_0:
    case Qt::Key_Home:
        return fit();
    case Qt::Key_L:
        return setFollowing(true);
    case Qt::Key_End:
        return setFollow(Follow::kNewestSteps);
    case Qt::Key_F:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return zoomToChosen();
    case Qt::Key_Backspace:
        return zoomBack();
    case Qt::Key_Period:
    case Qt::Key_Comma:
        return pinNext(SliceFilter({}), event->key() == Qt::Key_Period, pinnedLane);
    case Qt::Key_BracketRight:
    case Qt::Key_BracketLeft:
        return pinAlongFlow(event->key() == Qt::Key_BracketRight);
    case Qt::Key_N: // of the same kind
        if (m_pointer.pinned)
            pinNext(SliceFilter(trace::toString(m_pointer.pinned->slice.kind)),
                    !(event->modifiers() & Qt::ShiftModifier), pinnedLane);
        return;
    case Qt::Key_M:
        return toggleBookmark();
    case Qt::Key_Slash:
        return emit searchRequested();
    case Qt::Key_Question:
        return emit helpRequested();
    case Qt::Key_Escape:
        return m_pointer.pinned ? unpin() : clearSelection();
    default:
        QCustomPlot::keyPressEvent(event);
    }
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
    endGlide();
    m_scene.view.setWidth(width());
    relayout();
    applyView();
}

// The lanes as they were painted last, and over them what is pointed at and chosen.
void TimelinePlot::paintEvent(QPaintEvent*) {
    QCPPainter painter(this);
    mPaintBuffers.front()->draw(&painter);
    m_overlay.paint(&painter);
}

void TimelinePlot::selectTo(int x) {
    const int64_t hereNs = m_scene.view.timeAt(x);
    m_pointer.selection = TimeRange{std::min(*m_anchorNs, hereNs), std::max(*m_anchorNs, hereNs)};
    update();
    emit selectionChanged();
}

std::optional<int64_t> TimelinePlot::farEdgeAt(int x) const {
    if (!m_pointer.selection) return std::nullopt;
    const TimeRange& range = *m_pointer.selection;
    if (std::abs(m_scene.view.xAt(range.endNs) - x) <= kHandlePixels) return range.beginNs;
    if (std::abs(m_scene.view.xAt(range.beginNs) - x) <= kHandlePixels) return range.endNs;
    return std::nullopt;
}

bool TimelinePlot::isInSelection(int x) const {
    const int64_t timeNs = m_scene.view.timeAt(x);
    return m_pointer.selection && m_pointer.selection->beginNs <= timeNs && timeNs <= m_pointer.selection->endNs;
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
            showTooltip(mapToGlobal(position), row->lane, *hit);
        }
    }
    if (!m_pointer.slice) QToolTip::hideText();
    update(stale += m_overlay.underPointer());
}

void TimelinePlot::showTooltip(const QPoint& globalPosition, LaneId lane, const Hit& hit) {
    const trace::Record& slice = m_scene.store->slices(lane)[hit.slice];
    QToolTip::showText(globalPosition + QPoint(12, 12), sliceTooltip(slice, layerName(slice.layer), hit.numSlices),
                       this);
}

} // namespace roundpipe::ui::timeline
