#include "ui/timeline/timeline_plot.h"

#include "ui/timeline/slice_text.h"
#include "ui/timeline/time_axis.h"

#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kStepsFollowed = 3;
constexpr int64_t kFirstSpanNs = 2'000'000'000;
constexpr int kClickPixels = 4; // less is a click, more is a drag

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

// Of the last whole step on record; 0: none yet.
int64_t lastStepNs(const trace::LaneStore& store) {
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        const trace::SliceList& slices = store.slices(lane.id);
        for (std::size_t i = slices.size(); i-- > 0;)
            if (slices[i].kind == trace::Kind::kStep) return slices[i].endNs - slices[i].startNs;
    }
    return 0;
}

} // namespace

TimelinePlot::TimelinePlot(const theme::ThemeManager& themes, QWidget* parent) : QCustomPlot(parent), m_themes(themes) {
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
    addLayer(QStringLiteral("pointer"), layer(QStringLiteral("lanes")));
    layer(QStringLiteral("pointer"))->setMode(QCPLayer::lmBuffered);
    auto* painter = new LanePainter(xAxis2, yAxis, m_scene, m_themes); // owned by the plot
    painter->setLayer(QStringLiteral("lanes"));
    new Overlay(this, QStringLiteral("pointer"), m_scene, m_pointer, m_themes); // owned by its layer's plot
    connect(&themes, &theme::ThemeManager::changed, this, &TimelinePlot::applyTheme);
    applyTheme();
}

void TimelinePlot::applyTheme() {
    const theme::Theme& theme = m_themes.theme();
    setBackground(theme.card);
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
    m_pointer = {};
    m_userZoomed = false;
    const int64_t originNs = m_scene.store->originNs();
    m_scene.view.setBounds(originNs, originNs + kFirstSpanNs);
    m_scene.view.show(originNs, originNs + kFirstSpanNs);
    relayout();
    setFollowing(true);
    applyView();
    emit selectionChanged();
}

void TimelinePlot::updateBounds() {
    const trace::LaneStore& store = *m_scene.store;
    if (store.empty()) return;
    m_scene.view.setBounds(store.beginNs(), std::max(store.endNs(), store.beginNs() + Viewport::kMinSpanNs));
}

void TimelinePlot::dataArrived() {
    updateBounds();
    if (m_following && !m_scene.store->empty()) {
        if (!m_userZoomed) {
            const int64_t stepNs = lastStepNs(*m_scene.store);
            const int64_t spanNs = stepNs > 0 ? stepNs * kStepsFollowed : kFirstSpanNs;
            // Steps differ a little in length; the scale stays unless they differ by much.
            const bool otherScale = spanNs > m_scene.view.spanNs() * 5 / 4 || spanNs < m_scene.view.spanNs() * 4 / 5;
            if (otherScale) m_scene.view.show(m_scene.view.endNs() - spanNs, m_scene.view.endNs());
        }
        m_scene.view.endAt(m_scene.store->endNs() + m_scene.view.spanNs() / 60);
    }
    applyView();
}

void TimelinePlot::applyView() {
    const int64_t originNs = m_scene.store->originNs();
    xAxis2->setRange(static_cast<double>(m_scene.view.beginNs() - originNs) * 1e-9,
                     static_cast<double>(m_scene.view.endNs() - originNs) * 1e-9);
    replot(rpQueuedReplot);
    emit viewChanged();
}

void TimelinePlot::relayout() {
    m_scene.layout = layOutLanes(m_scene.store->lanes(), height() - rulerHeight());
    emit layoutChanged();
}

void TimelinePlot::setScroll(int pixels) {
    m_scene.scroll = pixels;
    replot(rpQueuedReplot);
}

void TimelinePlot::setFollowing(bool following) {
    if (m_following == following) return;
    m_following = following;
    emit followingChanged(following);
    if (following) dataArrived();
}

void TimelinePlot::fit() {
    setFollowing(false);
    m_scene.view.fit();
    applyView();
}

void TimelinePlot::zoomBy(double factor) {
    m_userZoomed = true;
    m_scene.view.zoomAbout(m_following ? m_scene.view.width() : m_scene.view.width() / 2.0, factor);
    applyView();
}

void TimelinePlot::clearSelection() {
    m_pointer.selection.reset();
    layer(QStringLiteral("pointer"))->replot();
    emit selectionChanged();
}

void TimelinePlot::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPoint degrees = event->pixelDelta().isNull() ? event->angleDelta() / 8 : event->pixelDelta() / 2;
    if (event->modifiers() & Qt::AltModifier) { // Qt turns the wheel sideways under Alt
        emit scrollRequested(-(degrees.x() + degrees.y()) * 3);
        return;
    }
    const bool sideways = (event->modifiers() & Qt::ShiftModifier) || std::abs(degrees.x()) > std::abs(degrees.y());
    if (sideways) {
        setFollowing(false);
        m_scene.view.panBy(-(degrees.x() + degrees.y()) * 4.0);
    } else {
        m_userZoomed = true;
        // While following, the newest data is what stays in place.
        const double x = m_following ? m_scene.view.width() : event->position().x();
        m_scene.view.zoomAbout(x, std::pow(1.2, -degrees.y() / 15.0));
    }
    applyView();
    hover(event->position().toPoint());
}

void TimelinePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    const bool select = event->button() == Qt::LeftButton &&
                        ((event->modifiers() & Qt::ShiftModifier) || event->pos().y() < rulerHeight());
    m_drag = select ? Drag::kSelect : Drag::kPan;
    m_dragStart = event->globalPosition().toPoint();
    m_dragLastX = m_dragStart.x();
    m_pressX = event->pos().x();
    m_anchorNs.reset();
    QToolTip::hideText();
}

void TimelinePlot::mouseMoveEvent(QMouseEvent* event) {
    const QPoint global = event->globalPosition().toPoint();
    const bool moved = (global - m_dragStart).manhattanLength() >= kClickPixels;
    if (m_drag == Drag::kPan && moved) {
        setFollowing(false);
        setCursor(Qt::ClosedHandCursor);
        m_scene.view.panBy(m_dragLastX - global.x());
        m_dragLastX = global.x();
        applyView();
    } else if (m_drag == Drag::kSelect && moved) {
        setFollowing(false);
        if (!m_anchorNs) m_anchorNs = m_scene.view.timeAt(m_pressX); // not earlier: a followed view moves
        selectTo(event->pos().x());
    }
    if (m_drag == Drag::kNone) hover(event->pos());
}

void TimelinePlot::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = (event->globalPosition().toPoint() - m_dragStart).manhattanLength() < kClickPixels;
    if (m_drag != Drag::kNone && clicked && m_pointer.selection) clearSelection();
    m_drag = Drag::kNone;
    unsetCursor();
    hover(event->pos());
}

void TimelinePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::kNone;
    std::optional<TimeRange> target = m_pointer.selection;
    if (m_pointer.lane && m_pointer.slice) {
        const trace::Record& slice = m_scene.store->slices(*m_pointer.lane)[*m_pointer.slice];
        target = TimeRange{slice.startNs, slice.endNs};
    }
    if (!target || event->button() != Qt::LeftButton) return;
    setFollowing(false);
    const int64_t air = std::max<int64_t>((target->endNs - target->beginNs) / 4, Viewport::kMinSpanNs / 4);
    m_scene.view.show(target->beginNs - air, target->endNs + air);
    applyView();
}

void TimelinePlot::leaveEvent(QEvent*) {
    m_pointer.x.reset();
    m_pointer.lane.reset();
    m_pointer.slice.reset();
    layer(QStringLiteral("pointer"))->replot();
}

void TimelinePlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_W:
        return zoomBy(0.7);
    case Qt::Key_S:
        return zoomBy(1 / 0.7);
    case Qt::Key_A:
    case Qt::Key_D:
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool later = event->key() == Qt::Key_D || event->key() == Qt::Key_Right;
        setFollowing(false);
        m_scene.view.panBy((later ? 0.15 : -0.15) * m_scene.view.width());
        return applyView();
    }
    case Qt::Key_0:
    case Qt::Key_Home:
        return fit();
    case Qt::Key_L:
    case Qt::Key_End:
        return setFollowing(true);
    case Qt::Key_Escape:
        return clearSelection();
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void TimelinePlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    m_scene.view.setWidth(width());
    relayout();
    applyView();
}

void TimelinePlot::selectTo(int x) {
    const int64_t hereNs = m_scene.view.timeAt(x);
    m_pointer.selection = TimeRange{std::min(*m_anchorNs, hereNs), std::max(*m_anchorNs, hereNs)};
    layer(QStringLiteral("pointer"))->replot();
    emit selectionChanged();
}

void TimelinePlot::hover(const QPoint& position) {
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
    layer(QStringLiteral("pointer"))->replot();
}

void TimelinePlot::showTooltip(const QPoint& globalPosition, LaneId lane, const Hit& hit) {
    const trace::Record& slice = m_scene.store->slices(lane)[hit.slice];
    const QString layerName = m_layerNames && slice.layer.valid() ? m_layerNames(slice.layer) : QString();
    QToolTip::showText(globalPosition + QPoint(12, 12), sliceTooltip(slice, layerName, hit.numSlices), this);
}

} // namespace roundpipe::ui::timeline
