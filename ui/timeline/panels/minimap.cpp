// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/minimap.h"

#include "trace/analysis/fold.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roundpipe::ui::timeline {

Minimap::Minimap(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_plot(plot), m_themes(themes) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(sizeHint().height());
    setAccessibleName(tr("Overview of the whole run"));
    setToolTip(tr("The whole run. Click or drag to move the view."));
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
    connect(&plot, &TimelinePlot::viewChanged, this, qOverload<>(&QWidget::update));
    connect(&plot, &TimelinePlot::bookmarksChanged, this, qOverload<>(&QWidget::update));
    connect(&plot, &TimelinePlot::cursorMoved, this, [this] { // one column, then another
        const int before = std::exchange(m_cursorX, cursorX());
        for (const int x : {before, m_cursorX})
            if (x >= 0) update(x - 1, 0, 3, height());
    });
}

double Minimap::xAt(int64_t timeNs) const {
    const trace::LaneStore& store = *m_plot.scene().store;
    const auto spanNs = static_cast<double>(std::max<int64_t>(store.endNs() - store.beginNs(), 1));
    return static_cast<double>(timeNs - store.beginNs()) / spanNs * width();
}

int Minimap::cursorX() const {
    const auto cursorNs = m_plot.cursorNs();
    return cursorNs ? static_cast<int>(xAt(*cursorNs)) : -1;
}

// Anew when the data has grown by a column.
void Minimap::fold() {
    const trace::LaneStore& store = *m_plot.scene().store;
    const int64_t columnNs = (store.endNs() - store.beginNs()) / std::max(width(), 1);
    const bool fresh = static_cast<int>(m_busy.size()) == width() && m_foldedEndNs >= store.beginNs() &&
                       std::abs(store.endNs() - m_foldedEndNs) < columnNs;
    if (fresh) return;
    m_foldedEndNs = store.endNs();
    m_busy.assign(static_cast<std::size_t>(width()), 0);
    std::vector<trace::Summary> columns(m_busy.size());
    int numLanes = 0;
    for (const trace::Lane& lane : store.lanes()) {
        if (lane.role != trace::LaneRole::kCompute) continue;
        ++numLanes;
        trace::foldLane(store, lane.id, store.beginNs(), store.endNs(), columns);
        for (std::size_t x = 0; x < columns.size(); ++x)
            m_busy[x] += columns[x].busyNs / static_cast<double>(std::max<int64_t>(columnNs, 1));
    }
    for (double& busy : m_busy)
        busy = std::clamp(busy / std::max(numLanes, 1), 0.0, 1.0);
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = m_themes.theme();
    painter.fillRect(rect(), theme.raised);
    const Scene& scene = m_plot.scene();
    if (scene.store->empty()) return;
    fold();
    for (int x = 0; x < width(); ++x) {
        const int bar = static_cast<int>(std::lround(m_busy[static_cast<std::size_t>(x)] * (height() - 4)));
        if (bar > 0) painter.fillRect(x, height() - 2 - bar, 1, bar, theme.kind(trace::Kind::kStep));
    }
    const double left = std::clamp(xAt(scene.view.beginNs()), 0.0, width() - 4.0);
    const double right = std::clamp(xAt(scene.view.endNs()), left + 4, static_cast<double>(width()));
    QColor fill = theme.accent;
    fill.setAlpha(40);
    const QRectF window(left, 1, right - left - 1, height() - 2);
    painter.fillRect(window, fill);
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(window);
    if (const int x = cursorX(); x >= 0) painter.fillRect(x, 0, 1, height(), theme.text);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const int64_t mark : m_plot.bookmarks()) {
        QPolygonF diamond;
        const double x = xAt(mark);
        diamond << QPointF(x, 1) << QPointF(x + 4, 5) << QPointF(x, 9) << QPointF(x - 4, 5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawPolygon(diamond);
    }
}

int64_t Minimap::timeAt(double x) const {
    const trace::LaneStore& store = *m_plot.scene().store;
    const auto spanNs = static_cast<double>(store.endNs() - store.beginNs());
    return store.beginNs() + static_cast<int64_t>(x / std::max(width(), 1) * spanNs);
}

void Minimap::moveTo(int x) {
    if (!m_plot.scene().store->empty()) m_plot.navigation().showAround(timeAt(x));
}

void Minimap::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (m_plot.scene().store->empty()) return;
    m_plot.navigation().zoomAt(timeAt(event->position().x()), std::pow(1.5, -event->angleDelta().y() / 120.0));
}

} // namespace roundpipe::ui::timeline
