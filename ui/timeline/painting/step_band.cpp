// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/step_band.h"

#include "ui/timeline/painting/slice_text.h"

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kLeastForText = 12; // of ten thousand steps on show hardly one has room for a text

} // namespace

StepBand::StepBand(QCustomPlot* plot, const QString& layer, const Scene& scene, const theme::ThemeManager& themes)
    : QCPLayerable(plot, layer), m_scene(scene), m_themes(themes) {}

QRect StepBand::clipRect() const {
    const QRect area = parentPlot()->axisRect()->rect();
    return {area.left(), 0, area.width(), height()};
}

void StepBand::draw(QCPPainter* painter) {
    const QRect area = clipRect();
    painter->setFont(parentPlot()->font());
    for (const trace::Lane& lane : m_scene.store->lanes()) {
        if (lane.role != trace::LaneRole::kSession) continue;
        LaneGeometry geometry;
        buildLaneGeometry(*m_scene.store, lane.id, m_scene.view, area.width(), geometry);
        const trace::SliceList& slices = m_scene.store->slices(lane.id);
        for (const LaneBar& bar : geometry.bars) {
            const int gap = bar.right - bar.left > 4 ? 2 : 0;
            const QRect place(area.left() + bar.left, 1, std::max(1, bar.right - bar.left - gap), height() - 2);
            drawSlice(painter, place.intersected(area), slices[bar.slice]);
        }
        drawColumns(painter, geometry.columns);
        if (m_scene.live) drawUnderWay(painter, lane.id, slices);
    }
}

// Neighbours of one kind are one block.
void StepBand::drawColumns(QCPPainter* painter, const std::vector<trace::Summary>& columns) const {
    for (auto first = columns.begin(); first != columns.end();) {
        const auto end = std::find_if(first, columns.end(), [&](const trace::Summary& column) {
            return column.used != first->used || column.kind != first->kind;
        });
        if (first->used)
            painter->fillRect(clipRect().left() + static_cast<int>(first - columns.begin()), 1,
                              static_cast<int>(end - first), height() - 2, m_themes.theme().kind(first->kind));
        first = end;
    }
}

// What is under way has no end yet: it fades out where the newest records are. A validation or an answer says when it
// begins; without one it is the step behind the last one.
void StepBand::drawUnderWay(QCPPainter* painter, LaneId lane, const trace::SliceList& slices) const {
    const trace::Record* last = slices.empty() ? nullptr : &slices[slices.size() - 1];
    const auto open = std::ranges::find(m_scene.open, lane, &trace::Record::lane);
    if (open != m_scene.open.end() && (last == nullptr || last->startNs < open->startNs))
        drawFading(painter, open->startNs, open->kind, tr("%1 …").arg(theme::kindName(open->kind)));
    else if (last != nullptr && last->kind == trace::Kind::kStep)
        drawFading(painter, last->endNs, last->kind, tr("step %1 …").arg(last->step + 2));
}

void StepBand::drawFading(QCPPainter* painter, int64_t startNs, trace::Kind kind, const QString& name) const {
    const QRect area = clipRect();
    const auto xAt = [&](int64_t timeNs) {
        return area.left() + static_cast<int>(std::clamp(m_scene.view.xAt(timeNs), 0.0, area.width() + 0.0));
    };
    const int left = xAt(startNs) + 2;
    const int right = xAt(m_scene.newestNs());
    if (right - left < 12) return;
    QLinearGradient fade(left, 0, right, 0);
    QColor colour = m_themes.theme().kind(kind);
    colour.setAlpha(150);
    fade.setColorAt(0, colour);
    colour.setAlpha(0);
    fade.setColorAt(1, colour);
    const QRect place(left, 1, right - left, height() - 2);
    painter->fillRect(place, fade);
    if (painter->fontMetrics().horizontalAdvance(name) + 12 > place.width()) return;
    painter->setPen(m_themes.theme().text);
    painter->drawText(place.adjusted(5, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, name);
    painter->setPen(Qt::NoPen);
}

void StepBand::drawSlice(QCPPainter* painter, const QRect& place, const trace::Record& slice) const {
    const QColor fill = m_themes.theme().kind(slice.kind);
    painter->fillRect(place, fill);
    if (place.width() < kLeastForText) return;
    const bool isStep = slice.kind == trace::Kind::kStep;
    const QString name = isStep                             ? tr("step %1").arg(slice.step + 1)
                         : slice.kind == trace::Kind::kWait ? theme::idleName(slice.reason)
                                                            : theme::kindName(slice.kind);
    const QString full = name + QStringLiteral(" · ") + durationShown(slice.endNs - slice.startNs);
    const QFontMetrics metrics = painter->fontMetrics();
    painter->setPen(m_themes.theme().onColour(fill));
    for (const QString& text : {full, name, isStep ? QString::number(slice.step + 1) : QString()})
        if (!text.isEmpty() && metrics.horizontalAdvance(text) + 8 <= place.width()) {
            painter->drawText(place, Qt::AlignCenter | Qt::TextSingleLine, text);
            break;
        }
    painter->setPen(Qt::NoPen);
}

} // namespace roundpipe::ui::timeline
