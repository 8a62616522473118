// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/predicted_step.h"

#include "ui/pages/plan/faded.h"
#include "ui/translations/number_text.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::pages {
namespace {

using trace::Kind;
using trace::LaneRole;

constexpr int kDeviceNames = 34;
constexpr int kRuler = 20;

} // namespace

std::vector<Kind> PredictedStep::kindsShown() {
    return {Kind::kForward,       Kind::kRecompute,     Kind::kBackward, Kind::kFused,
            Kind::kUploadWeights, Kind::kUploadAdapter, Kind::kOptimizer};
}

PredictedStep::PredictedStep(const theme::ThemeManager& themes, QWidget* parent) : PlanPicture(themes, parent) {
    setAccessibleName(tr("Predicted step"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void PredictedStep::setAnswer(std::shared_ptr<const session::PlanAnswer> answer) {
    m_answer = answer && answer->timeline ? std::move(answer) : nullptr;
    if (m_answer) {
        m_fromNs = m_answer->timeline->steadyFromNs;
        m_toNs = std::max(m_answer->timeline->steadyToNs, m_fromNs + 1);
    }
    describe();
    updateGeometry();
    update();
}

void PredictedStep::describe() {
    if (!m_answer) return setAccessibleDescription({});
    const plan::EvaluatedPlan& choice = m_answer->choice;
    if (!m_lit.valid())
        return setAccessibleDescription(tr("A step takes %1, %2 % of it idle.")
                                            .arg(translations::durationText(choice.step.stepSeconds))
                                            .arg(translations::fixedText(100 * choice.step.bubbleShare, 1)));
    int64_t ns = 0;
    for (const trace::Record& record : m_answer->timeline->records)
        if (record.stage == m_lit && record.lane.valid() && record.startNs >= m_fromNs && record.startNs < m_toNs &&
            m_answer->timeline->lanes[record.lane.index()].role == LaneRole::kCompute && record.kind != Kind::kWait)
            ns += record.endNs - record.startNs;
    setAccessibleDescription(
        tr("S%1 computes %2 a step.").arg(m_lit.value).arg(translations::durationText(static_cast<double>(ns) * 1e-9)));
    QAccessibleEvent said(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&said);
}

int PredictedStep::numRows() const {
    return m_answer ? m_answer->rig.numDevices() + 1 : 5;
}

int PredictedStep::usualRow() const {
    return numRows() > 5 ? 24 : 32;
}

int PredictedStep::rowHeight() const {
    return filledRow(usualRow(), numRows(), kRuler);
}

QSize PredictedStep::sizeHint() const {
    return {520, kRuler + numRows() * roomyRow(usualRow())};
}

double PredictedStep::xOf(int64_t ns) const {
    return kDeviceNames +
           static_cast<double>(ns - m_fromNs) / static_cast<double>(m_toNs - m_fromNs) * (width() - kDeviceNames);
}

void PredictedStep::paintRuler(QPainter& painter) const {
    const theme::Theme& theme = colours();
    const double seconds = static_cast<double>(m_toNs - m_fromNs) * 1e-9;
    double tick = std::pow(10, std::floor(std::log10(seconds)));
    if (seconds / tick < 2.5)
        tick /= 5;
    else if (seconds / tick < 6)
        tick /= 2;
    for (int i = 0; i * tick < seconds; ++i) {
        const double x = xOf(m_fromNs + std::llround(i * tick * 1e9));
        painter.setPen(theme.border);
        painter.drawLine(QPointF(x, kRuler), QPointF(x, kRuler + numRows() * rowHeight()));
        painter.setPen(theme.dim);
        const QString text = tick < 0.1 ? tr("%1 ms").arg(translations::shortText(1e3 * i * tick, 4))
                                        : tr("%1 s").arg(translations::shortText(i * tick, 3));
        if (x + painter.fontMetrics().horizontalAdvance(text) < width())
            painter.drawText(QPointF(x + 2, kRuler - 6), text);
    }
}

void PredictedStep::paintRecord(QPainter& painter, const trace::Record& record) const {
    const trace::Lane& lane = m_answer->timeline->lanes[record.lane.index()];
    const bool isOptimizer = lane.role == LaneRole::kOptimizer;
    if (lane.role != LaneRole::kCompute && lane.role != LaneRole::kWeightsUp && !isOptimizer) return;
    if (record.kind == Kind::kWait || record.endNs <= m_fromNs || record.startNs >= m_toNs) return;
    const int row = isOptimizer ? numRows() - 1 : lane.device.value;
    const int height = rowHeight();
    const double top = kRuler + row * height + 3;
    const double x = std::max<double>(kDeviceNames, xOf(record.startNs));
    const double right = std::min<double>(width(), xOf(record.endNs));
    const bool isCompute = lane.role == LaneRole::kCompute;
    const QRectF slice(x,
                       isCompute     ? top
                       : isOptimizer ? top + 3
                                     : top + height - 12,
                       std::max(0.7, right - x),
                       isCompute     ? height - 13
                       : isOptimizer ? height - 14
                                     : 4);
    const QColor colour = colours().kind(record.kind);
    painter.fillRect(slice.adjusted(0, 0, slice.width() > 3 ? -0.6 : 0, 0), colour);
    const QString text = QString::number(record.microbatch.value);
    if (isCompute && record.microbatch.valid() && painter.fontMetrics().horizontalAdvance(text) + 4 < slice.width()) {
        painter.setPen(colours().onColour(colour));
        painter.drawText(slice, Qt::AlignCenter, text);
    }
}

void PredictedStep::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = colours();
    if (!m_answer) {
        painter.setPen(theme.dim);
        painter.drawText(rect(), Qt::AlignCenter, tr("Shown as soon as there is a plan."));
        return;
    }
    QFont small = font();
    small.setPointSizeF(0.85 * small.pointSizeF());
    painter.setFont(small);
    painter.setOpacity(opacity());
    for (int row = 0; row < numRows(); ++row) {
        const QRectF band(kDeviceNames, kRuler + row * rowHeight() + 2, width() - kDeviceNames, rowHeight() - 4);
        painter.fillRect(band, theme.raised);
        painter.setPen(theme.dim);
        const QRectF name(0, band.top(), kDeviceNames - 8, band.height());
        if (row + 1 == numRows()) {
            painter.drawText(name, Qt::AlignCenter, tr("opt"));
            continue;
        }
        const QRectF tile(name.center().x() - 8, name.center().y() - 8, 16, 16);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.text);
        painter.drawRoundedRect(tile, 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.card);
        painter.drawText(tile, Qt::AlignCenter, QString::number(row));
    }
    paintRuler(painter);
    for (const trace::Record& record : m_answer->timeline->records) {
        painter.setOpacity(opacity() * (m_lit.valid() && record.stage != m_lit ? kReceding : 1));
        if (record.lane.valid()) paintRecord(painter, record);
    }
    painter.setOpacity(opacity());
    if (!hasFocus()) return;
    painter.setOpacity(1);
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(kDeviceNames, kRuler, width() - kDeviceNames - 1, numRows() * rowHeight()));
}

const trace::Record* PredictedStep::recordAt(const QPoint& position) const {
    if (position.y() < kRuler || position.x() < kDeviceNames) return nullptr;
    const int row = (position.y() - kRuler) / rowHeight();
    const double share = (position.x() - kDeviceNames) / std::max<double>(1, width() - kDeviceNames);
    const int64_t ns = m_fromNs + std::llround(share * static_cast<double>(m_toNs - m_fromNs));
    for (const trace::Record& record : m_answer->timeline->records) {
        if (!record.lane.valid() || ns < record.startNs || ns >= record.endNs) continue;
        const trace::Lane& lane = m_answer->timeline->lanes[record.lane.index()];
        if (lane.role == LaneRole::kCompute && lane.device.value == row && record.kind != Kind::kWait) return &record;
    }
    return nullptr;
}

void PredictedStep::setLit(StageId stage) {
    if (stage == m_lit) return;
    m_lit = stage;
    describe();
    update();
}

void PredictedStep::hover(StageId stage) {
    if (stage == m_hovered) return;
    m_hovered = stage;
    emit stageHovered(stage);
}

void PredictedStep::mouseMoveEvent(QMouseEvent* event) {
    const trace::Record* record = m_answer ? recordAt(event->position().toPoint()) : nullptr;
    hover(record == nullptr ? StageId() : record->stage);
}

void PredictedStep::leaveEvent(QEvent*) {
    hover({});
}

void PredictedStep::light(StageId stage) {
    m_hovered = stage;
    emit stageHovered(stage);
}

void PredictedStep::keyPressEvent(QKeyEvent* event) {
    const int32_t numStages = m_answer ? m_answer->choice.plan.numStages() : 0;
    const bool isOn = event->key() == Qt::Key_Right;
    if (event->key() == Qt::Key_Escape && m_lit.valid()) {
        light({});
    } else if (numStages > 0 && (isOn || event->key() == Qt::Key_Left)) {
        const int32_t last = numStages - 1;
        light(StageId(!m_lit.valid() ? (isOn ? 0 : last) : std::clamp(m_lit.value + (isOn ? 1 : -1), 0, last)));
    } else {
        QWidget::keyPressEvent(event);
    }
}

void PredictedStep::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PredictedStep::focusOutEvent(QFocusEvent* event) {
    if (m_lit.valid()) light({});
    QWidget::focusOutEvent(event);
    update();
}

bool PredictedStep::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !m_answer) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const trace::Record* record = recordAt(help->pos())) {
        QToolTip::showText(
            help->globalPos(),
            tr("%1 of microbatch %2 in S%3: %4")
                .arg(theme::kindName(record->kind))
                .arg(record->microbatch.value)
                .arg(record->stage.value)
                .arg(translations::durationText(static_cast<double>(record->endNs - record->startNs) * 1e-9)),
            this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

} // namespace roundpipe::ui::pages
