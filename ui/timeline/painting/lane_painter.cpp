// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/lane_painter.h"

#include "ui/timeline/painting/slice_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace roundpipe::ui::timeline {
namespace {

constexpr double kCounterShare = 0.45; // of its colour: a staircase is quieter than work

QColor mixed(const QColor& ground, const QColor& colour, double share) {
    const auto part = [share](int from, int to) { return from + static_cast<int>(std::lround(share * (to - from))); };
    return {part(ground.red(), colour.red()), part(ground.green(), colour.green()), part(ground.blue(), colour.blue())};
}

} // namespace

int Scene::stripHeight(const LaneRow& row) const {
    if (planned == nullptr || steps.empty() || row.role == trace::LaneRole::kMemory) return 0;
    return std::max(4, row.height / 6); // a line of it is a gap
}

LanePainter::LanePainter(QCPAxis* keyAxis, QCPAxis* valueAxis, const Scene& scene, const theme::ThemeManager& themes)
    : QCPAbstractPlottable(keyAxis, valueAxis), m_scene(scene), m_themes(themes) {
    setAntialiased(false);
    setSelectable(QCP::stNone);
    removeFromLegend();
}

QCPRange LanePainter::getKeyRange(bool& found, QCP::SignDomain) const {
    found = false; // the viewport is the only authority over the range
    return {};
}

QCPRange LanePainter::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = false;
    return {};
}

void LanePainter::draw(QCPPainter* painter) {
    if (m_scene.store == nullptr) return;
    const QRect area = mKeyAxis->axisRect()->rect();
    const theme::Theme& theme = m_themes.theme();
    for (int kind = 0; kind < trace::kNumKinds; ++kind)
        m_kinds[static_cast<std::size_t>(kind)] = theme.kind(static_cast<trace::Kind>(kind)).rgb();
    m_raster.begin(*painter, area);
    QColor track = theme.text; // a tint, so that the grid below shows through
    track.setAlpha(10);
    m_raster.tintGround(track);
    if (m_raster.width() == 0) return;
    painter->setPen(Qt::NoPen);
    m_complete = true;
    for (const LaneGroup& group : m_scene.layout.groups)
        for (const LaneRow& row : group.rows) {
            QRect place(area.left(), area.top() + row.top - m_scene.scroll, area.width(), row.height);
            if (place.bottom() < area.top() || place.top() > area.bottom()) continue;
            if (row.role == trace::LaneRole::kMemory) {
                drawCounter(row, place);
                continue;
            }
            const int strip = m_scene.stripHeight(row);
            if (strip > 0) drawPlanned(painter, row, place.adjusted(0, place.height() - strip + 1, 0, 0));
            place.setHeight(place.height() - strip);
            buildLaneGeometry(*m_scene.store, row.lane, m_scene.view, m_raster.width(), m_geometry);
            m_complete = m_complete && m_geometry.complete;
            if (m_geometry.folded)
                drawColumns(place);
            else
                drawBars(painter, row, place);
            if (m_scene.live) drawOpen(painter, row, place);
        }
    if (m_scene.live) drawNow(painter, area);
}

// What is newest is not whole yet: slices come when they have ended, those of one device later than those of another.
// So the edge is soft.
void LanePainter::drawNow(QCPPainter* painter, const QRect& area) const {
    constexpr int kSoftPixels = 28;
    const double now = m_scene.view.xAt(m_scene.newestNs());
    if (m_scene.store->empty() || now < 0 || now > area.width() + kSoftPixels) return;
    const theme::Theme& theme = m_themes.theme();
    const int right = area.left() + static_cast<int>(now);
    QLinearGradient fade(right - kSoftPixels, 0, right, 0);
    QColor clear = theme.card;
    clear.setAlpha(0);
    fade.setColorAt(0, clear);
    fade.setColorAt(1, theme.card);
    painter->fillRect(QRect(right - kSoftPixels, area.top(), kSoftPixels, area.height()), fade);
}

// What has begun grows as it is looked at, fading towards an end that nobody knows yet.
void LanePainter::drawOpen(QCPPainter* painter, const LaneRow& row, const QRect& place) const {
    const auto open = std::ranges::find(m_scene.open, row.lane, &trace::Record::lane);
    if (open == m_scene.open.end()) return;
    const trace::SliceList& slices = m_scene.store->slices(row.lane);
    if (!slices.empty() && slices[slices.size() - 1].startNs >= open->startNs) return; // over since
    const auto xAt = [&](int64_t timeNs) {
        return place.left() + static_cast<int>(std::clamp(m_scene.view.xAt(timeNs), -8.0, place.width() + 8.0));
    };
    const QRect bar(xAt(open->startNs), place.top(), xAt(m_scene.openUntilNs) - xAt(open->startNs), place.height());
    if (bar.width() < 2 || !bar.intersects(place)) return;
    const QColor colour = m_themes.theme().kind(open->kind);
    QColor faint = colour;
    faint.setAlpha(70);
    QLinearGradient fade(bar.topLeft(), bar.topRight());
    fade.setColorAt(0, colour);
    fade.setColorAt(0.5, colour);
    fade.setColorAt(1, faint);
    painter->fillRect(bar, fade);
    const QRect half = QRect(bar.left(), bar.top(), bar.width() / 2, bar.height()).intersected(place);
    if (place.height() < 13 || half.isEmpty()) return;
    QFont font = mParentPlot->font();
    font.setPixelSize(std::clamp(place.height() - 5, 9, 12));
    painter->setFont(font);
    const QString label = sliceLabel(*open, half.width(), QFontMetrics(font).horizontalAdvance(QLatin1Char('0')));
    painter->setPen(m_themes.theme().onColour(colour));
    painter->drawText(half, Qt::AlignCenter | Qt::TextSingleLine, label);
    painter->setPen(Qt::NoPen);
}

// Below each step of the run what its plan saw there, beginning where the step begins.
void LanePainter::drawPlanned(QCPPainter* painter, const LaneRow& row, const QRect& place) const {
    const theme::Theme& theme = m_themes.theme();
    const auto xAt = [&](int64_t timeNs) {
        return place.left() + static_cast<int>(std::clamp(m_scene.view.xAt(timeNs), -1.0, place.width() + 1.0));
    };
    for (const StepOnShow& step : m_scene.steps)
        for (const trace::Record& slice : m_scene.planned->slices(row.lane, step)) {
            const int left = xAt(step.beginNs + slice.startNs);
            const int right = xAt(step.beginNs + slice.endNs);
            const int gap = right - left > 4 ? 1 : 0;
            if (right > place.left() && left < place.right())
                painter->fillRect(left, place.top(), std::max(1, right - left - gap), place.height(),
                                  theme.kind(slice.kind));
        }
}

// Blocks of colour first, then what is painted on them or between them.
void LanePainter::drawBars(QCPPainter* painter, const LaneRow& row, const QRect& place) {
    const theme::Theme& theme = m_themes.theme();
    const trace::SliceList& slices = m_scene.store->slices(row.lane);
    const bool labelled = place.height() >= 13;
    QFont font = mParentPlot->font();
    font.setPixelSize(std::clamp(place.height() - 5, 9, 12));
    painter->setFont(font);
    const int characterWidth = QFontMetrics(font).horizontalAdvance(QLatin1Char('0'));
    const auto gapOf = [](const LaneBar& bar) { return bar.right - bar.left > 4 ? 1 : 0; };
    m_raster.moveTo(place);
    m_raster.takeGround();
    for (const LaneBar& bar : m_geometry.bars)
        if (bar.kind != trace::Kind::kWait)
            m_raster.fill(m_kinds[static_cast<std::size_t>(bar.kind)], place.left() + bar.left,
                          place.left() + bar.right - gapOf(bar));
    m_raster.writeAll();
    for (auto bar = m_geometry.bars.begin(); bar != m_geometry.bars.end(); ++bar) {
        const int width = bar->right - bar->left - gapOf(*bar);
        const bool isWait = bar->kind == trace::Kind::kWait;
        if (!isWait && (!labelled || width < characterWidth)) continue;
        const QRect rect(place.left() + bar->left, place.top(), width, place.height());
        QRect visible = rect.intersected(place);
        if (isWait) { // what comes next has its place
            const auto next = std::next(bar);
            if (next != m_geometry.bars.end() && next->left < bar->right)
                visible.setRight(std::min(visible.right(), place.left() + next->left - 1));
            drawWait(painter, visible, slices[bar->slice], rect.left());
            continue;
        }
        const QString label = sliceLabel(slices[bar->slice], visible.width(), characterWidth);
        if (label.isEmpty()) continue;
        painter->setPen(theme.onColour(theme.kind(bar->kind)));
        painter->drawText(visible, Qt::AlignCenter | Qt::TextSingleLine, label);
        painter->setPen(Qt::NoPen);
    }
}

// Hatched, and in words where there is room for them.
void LanePainter::drawWait(QCPPainter* painter, const QRect& place, const trace::Record& wait, int originX) const {
    if (place.isEmpty()) return;
    const theme::Theme& theme = m_themes.theme();
    painter->setBrushOrigin(originX, place.top()); // the hatch moves with its slice
    painter->fillRect(place, theme.hatch(wait.reason));
    const QString text = theme::idleName(wait.reason);
    const int width = painter->fontMetrics().horizontalAdvance(text) + 10;
    if (place.height() < 18 || width + 8 > place.width()) return;
    QRect label(0, 0, width, place.height() * 3 / 5);
    label.moveCenter(place.center());
    painter->fillRect(label, theme.card);
    painter->setPen(theme.text);
    painter->drawText(label, Qt::AlignCenter | Qt::TextSingleLine, text);
    painter->setPen(Qt::NoPen);
}

// A column is as high as the lane was busy under it, in the colour of the longest slice there.
void LanePainter::drawColumns(const QRect& place) {
    m_raster.moveTo(place);
    const std::size_t width = m_geometry.columns.size();
    const int height = m_raster.height();
    const double columnNs = static_cast<double>(m_scene.view.spanNs()) / static_cast<double>(width);
    m_columnColours.assign(width, 0);
    m_columnTops.assign(width, height);
    for (std::size_t x = 0; x < width; ++x) {
        const trace::Summary& column = m_geometry.columns[x];
        if (column.longestNs < 0) continue; // no work
        const double share = std::clamp(column.busyNs / columnNs, 0.0, 1.0);
        m_columnColours[x] = m_kinds[static_cast<std::size_t>(column.kind)];
        m_columnTops[x] = height - std::max(1, static_cast<int>(std::lround(share * height)));
    }
    drawStrip();
}

// What is in use, as a staircase whose top is the most that was ever in use. Records that share a pixel show their
// largest.
void LanePainter::drawCounter(const LaneRow& row, const QRect& place) {
    const Viewport& view = m_scene.view;
    m_raster.moveTo(place);
    const int height = m_raster.height();
    const int64_t most = std::max<int64_t>(m_scene.store->slices(row.lane).mostBytes(), 1);
    const auto width = static_cast<std::size_t>(m_raster.width());
    m_columnBytes.resize(width);
    m_complete =
        trace::foldCounter(*m_scene.store, row.lane, view.beginNs(), view.endNs(), m_columnBytes) && m_complete;
    const theme::Theme& theme = m_themes.theme();
    m_columnColours.assign(width, mixed(theme.raised, theme.kind(trace::Kind::kMemory), kCounterShare).rgb());
    m_columnTops.assign(width, height);
    const double known = view.xAt(m_scene.store->endNs()) / view.width() * static_cast<double>(width);
    for (std::size_t x = 0; x < width && static_cast<double>(x + 1) <= known; ++x)
        m_columnTops[x] =
            height - static_cast<int>(std::lround(static_cast<double>(height) * static_cast<double>(m_columnBytes[x]) /
                                                  static_cast<double>(most)));
    drawStrip();
}

// From the top downwards: in each line those columns begin whose top it is, and none ends.
void LanePainter::drawStrip() {
    const std::span<QRgb> line = m_raster.line();
    std::ranges::fill(line, m_themes.theme().raised.rgb());
    m_firstAt.assign(static_cast<std::size_t>(m_raster.height()) + 1, -1);
    m_nextAt.resize(line.size());
    for (std::size_t x = 0; x < line.size(); ++x)
        m_nextAt[x] = std::exchange(m_firstAt[static_cast<std::size_t>(m_columnTops[x])], static_cast<int>(x));
    for (int y = 0; y < m_raster.height(); ++y) {
        for (int x = m_firstAt[static_cast<std::size_t>(y)]; x >= 0; x = m_nextAt[static_cast<std::size_t>(x)])
            line[static_cast<std::size_t>(x)] = m_columnColours[static_cast<std::size_t>(x)];
        m_raster.write(y);
    }
}

} // namespace roundpipe::ui::timeline
