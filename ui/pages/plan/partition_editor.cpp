// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/partition_editor.h"

#include "ui/models/plan_text.h"
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
#include <limits>

namespace roundpipe::ui::pages {
namespace {

constexpr double kNames = 76; // row names at the left
constexpr int kRow = 50;
constexpr int kBesideRows = 50;       // layers between them, words below
constexpr double kLayers = 26;        // between the rows
constexpr double kBetweenNumbers = 8; // of layers
constexpr double kReach = 6;          // of a cut, in pixels to each side

QString timeText(double seconds) {
    if (seconds >= 1) return translations::durationText(seconds);
    return PartitionEditor::tr("%1 ms").arg(translations::fixedText(1e3 * seconds, seconds < 0.1 ? 1 : 0));
}

// Of what leaves so much of a stage's width: at the left, in a narrow stage in the middle.
double insetOf(double left) {
    return std::min(5.0, std::floor(left / 2));
}

QString sizeOf(int64_t count) {
    return translations::bytesText(count);
}

} // namespace

PartitionEditor::PartitionEditor(const theme::ThemeManager& themes, QWidget* parent) : PlanPicture(themes, parent) {
    setAccessibleName(tr("Layer partition"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void PartitionEditor::setAnswer(std::shared_ptr<const session::PlanAnswer> answer) {
    m_answer = answer && answer->hasPlan ? std::move(answer) : nullptr;
    m_edges.assign(1, 0);
    if (m_answer) {
        // A layer that takes next to no time still has to be seen.
        double most = 0;
        for (const session::PlannedLayer& layer : m_answer->layers)
            most = std::max(most, layer.forwardSeconds + layer.backwardSeconds);
        for (const session::PlannedLayer& layer : m_answer->layers)
            m_edges.push_back(m_edges.back() + std::max(layer.forwardSeconds + layer.backwardSeconds, 0.3 * most));
        for (double& edge : m_edges)
            edge /= m_edges.back();
    }
    setPlan(m_answer ? m_answer->choice.plan : plan::Plan());
}

void PartitionEditor::setPlan(plan::Plan plan) {
    const std::optional<Cut> chosen = chosenCut();
    m_plan = std::move(plan);
    m_stages = m_answer ? m_plan.stages() : std::vector<plan::Stage>{};
    m_cuts = m_answer ? cutsOf(m_plan) : std::vector<Cut>{};
    m_mostBytes = 1;
    for (const plan::Stage& stage : m_stages)
        m_mostBytes = std::max(m_mostBytes, bytesOf(stage));
    m_hovered.reset();
    if (m_chosen) {
        const auto same = std::ranges::find(m_cuts, *chosen);
        if (same != m_cuts.end())
            m_chosen = static_cast<std::size_t>(same - m_cuts.begin());
        else
            m_chosen.reset();
    }
    chooseStage(m_chosenStage.value < static_cast<int32_t>(m_stages.size()) ? m_chosenStage : StageId());
    update();
}

// Said to screen readers: the stage, or all of them where none is chosen.
void PartitionEditor::chooseStage(StageId stage) {
    if (stage != m_chosenStage) {
        m_chosenStage = stage;
        hover(stage);
    }
    QStringList words;
    for (const plan::Stage& one : m_stages)
        if (!stage.valid() || one.id == stage) words.append(textOf(one));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    QAccessibleEvent said(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&said);
    if (!stage.valid() || !hasFocus()) return;
    const QRect place = rectOf(m_stages[stage.index()]).toRect();
    QToolTip::showText(mapToGlobal(place.bottomLeft()), textOf(m_stages[stage.index()]), this);
}

// In the direction of the arrow: the next one of the row, or the nearest one of the other row. None is there: the same.
StageId PartitionEditor::stageBeside(int key) const {
    const bool fromCut = !m_chosenStage.valid();
    const QRectF from = fromCut ? QRectF(m_chosen ? xOf(m_cuts[*m_chosen].layer) : xOf(0), row() + kLayers / 2, 0, 0)
                                : rectOf(m_stages[m_chosenStage.index()]);
    StageId nearest = m_chosenStage;
    double best = std::numeric_limits<double>::max();
    for (const plan::Stage& stage : m_stages) {
        const QPointF way = rectOf(stage).center() - from.center();
        const bool isThere = key == Qt::Key_Up     ? way.y() < 0
                             : key == Qt::Key_Down ? way.y() > 0
                             : way.y() != 0        ? false
                             : key == Qt::Key_Left ? way.x() < 0
                                                   : way.x() > 0;
        if (!isThere || std::abs(way.x()) >= best) continue;
        best = std::abs(way.x());
        nearest = stage.id;
    }
    return nearest;
}

bool PartitionEditor::walk(int key) {
    const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
    if (m_stages.empty() || (isSideways && !m_chosenStage.valid())) return false;
    if (key == Qt::Key_Escape) {
        if (!m_chosenStage.valid()) return false;
        QToolTip::hideText();
        chooseStage({});
        return true;
    }
    if (!isSideways && key != Qt::Key_Up && key != Qt::Key_Down) return false;
    chooseStage(stageBeside(key));
    return true;
}

void PartitionEditor::setLit(StageId stage) {
    if (stage == m_lit) return;
    m_lit = stage;
    update();
}

void PartitionEditor::hover(StageId stage) {
    if (stage == m_hoveredStage) return;
    m_hoveredStage = stage;
    emit stageHovered(stage);
}

std::optional<Cut> PartitionEditor::chosenCut() const {
    return m_chosen ? std::optional(m_cuts[*m_chosen]) : std::nullopt;
}

double PartitionEditor::row() const {
    return roomyRow(kRow);
}

QSize PartitionEditor::sizeHint() const {
    return {700, 2 * roomyRow(kRow) + kBesideRows};
}

double PartitionEditor::xOf(int32_t layer) const {
    return kNames + m_edges[static_cast<std::size_t>(layer)] * (width() - kNames - 2);
}

int32_t PartitionEditor::layerAt(double x) const {
    int32_t nearest = 0;
    for (int32_t layer = 1; layer < static_cast<int32_t>(m_edges.size()); ++layer)
        if (std::abs(xOf(layer) - x) < std::abs(xOf(nearest) - x)) nearest = layer;
    return nearest;
}

QRectF PartitionEditor::rectOf(const plan::Stage& stage) const {
    const double top = stage.kind == plan::StageKind::kForward ? 0 : row() + kLayers;
    return {xOf(stage.layers.begin) + 1, top, xOf(stage.layers.end) - xOf(stage.layers.begin) - 2, row()};
}

double PartitionEditor::secondsOf(const plan::Stage& stage) const {
    double seconds = 0;
    for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l) {
        const session::PlannedLayer& layer = m_answer->layers[static_cast<std::size_t>(l)];
        seconds += stage.kind == plan::StageKind::kForward ? layer.forwardSeconds : layer.backwardSeconds;
    }
    return seconds;
}

int64_t PartitionEditor::bytesOf(const plan::Stage& stage) const {
    int64_t sum = 0;
    for (int32_t l = stage.layers.begin; l < stage.layers.end; ++l)
        sum += m_answer->layers[static_cast<std::size_t>(l)].weightBytes;
    return sum;
}

QString PartitionEditor::textOf(const plan::Stage& stage) const {
    const auto nameOf = [&](int32_t layer) { return models::layerText(layer, m_plan.numLayers); };
    const QString kind = stage.kind == plan::StageKind::kForward ? tr("forward")
                         : stage.kind == plan::StageKind::kFused ? tr("fused: forward and backward")
                                                                 : tr("backward");
    const QString layers = stage.layers.size() == 1
                               ? nameOf(stage.layers.begin)
                               : tr("%1 to %2").arg(nameOf(stage.layers.begin), nameOf(stage.layers.end - 1));
    if (m_plan.replicas > 1)
        return tr("S%1, %2, %3, on each device: %4 a microbatch, %5 of weights")
            .arg(stage.id.value)
            .arg(kind, layers, timeText(secondsOf(stage)), sizeOf(bytesOf(stage)));
    return tr("S%1, %2, %3, on device %4: %5 a microbatch, %6 of weights")
        .arg(stage.id.value)
        .arg(kind, layers)
        .arg(models::deviceMark(m_plan, stage))
        .arg(timeText(secondsOf(stage)), sizeOf(bytesOf(stage)));
}

void PartitionEditor::paintStage(QPainter& painter, const plan::Stage& stage) const {
    const theme::Theme& theme = colours();
    const QColor colour = theme.kind(stage.kind == plan::StageKind::kForward ? trace::Kind::kForward
                                     : stage.kind == plan::StageKind::kFused ? trace::Kind::kFused
                                                                             : trace::Kind::kBackward);
    const QRectF rect = rectOf(stage);
    const auto mixed = [&](double share) {
        const auto part = [&](double a, double b) { return static_cast<float>(share * a + (1 - share) * b); };
        return QColor::fromRgbF(part(colour.redF(), theme.card.redF()), part(colour.greenF(), theme.card.greenF()),
                                part(colour.blueF(), theme.card.blueF()));
    };
    painter.setPen(Qt::NoPen);
    painter.fillRect(rect, mixed(0.18));
    QRectF fill = rect;
    fill.setTop(rect.bottom() - rect.height() * static_cast<double>(bytesOf(stage)) / static_cast<double>(m_mostBytes));
    painter.fillRect(fill, mixed(0.42));
    const bool above = stage.kind == plan::StageKind::kForward;
    painter.fillRect(QRectF(rect.left(), above ? rect.bottom() - 2 : rect.top(), rect.width(), 2), colour);

    constexpr double kTile = 16;
    if (rect.width() < kTile + 2) return;
    const double inset = insetOf(rect.width() - kTile);
    const bool hasTile = m_plan.replicas == 1; // else each device takes it
    const QRectF tile(rect.left() + (hasTile ? inset : 0), rect.top() + 7, hasTile ? kTile : 0, kTile);
    if (hasTile) {
        painter.setBrush(theme.text);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawRoundedRect(tile, 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    QFont bold = font();
    bold.setPointSizeF(0.85 * bold.pointSizeF());
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.card);
    if (hasTile) painter.drawText(tile, Qt::AlignCenter, models::deviceMark(m_plan, stage));
    painter.setPen(theme.text);
    QString name = QStringLiteral("S%1").arg(stage.id.value);
    const QString fused = name + QLatin1Char(' ') + tr("fused");
    const double room = rect.right() - tile.right() - 8;
    const QFontMetrics metrics = painter.fontMetrics();
    if (stage.kind == plan::StageKind::kFused && metrics.horizontalAdvance(fused) <= room) name = fused;
    const bool isBeside = metrics.horizontalAdvance(name) <= room;
    if (isBeside) painter.drawText(QPointF(tile.right() + 5, tile.center().y() + metrics.ascent() / 2.0 - 1), name);
    QFont small = bold;
    small.setBold(false);
    painter.setFont(small);
    const QString time = timeText(secondsOf(stage));
    const QString both = time + QStringLiteral(" · ") + sizeOf(bytesOf(stage));
    const QString below = isBeside ? time : name; // who is narrow says its name first
    for (const QString& text : {isBeside ? both : below, below}) {
        const double left = insetOf(rect.width() - painter.fontMetrics().horizontalAdvance(text));
        if (left < 1) continue;
        painter.drawText(QPointF(rect.left() + left, rect.bottom() - 10), text);
        break;
    }
}

void PartitionEditor::paintLayers(QPainter& painter) const {
    const theme::Theme& theme = colours();
    const double top = row() + 3;
    painter.setPen(theme.edge);
    painter.drawLine(QPointF(xOf(0), top), QPointF(xOf(m_plan.numLayers), top));
    QFont small = font();
    small.setPointSizeF(0.85 * small.pointSizeF());
    painter.setFont(small);
    const QFontMetrics metrics = painter.fontMetrics();
    // Numbers stand at even distances: every second layer, every fourth …, as they have room.
    const auto widthOf = [&](const QString& text) { return static_cast<double>(metrics.horizontalAdvance(text)); };
    int32_t every = 2;
    while (every < m_plan.numLayers &&
           every * (xOf(2) - xOf(1)) < widthOf(QString::number(m_plan.numLayers)) + kBetweenNumbers)
        every *= 2;
    const int32_t last = m_plan.numLayers - 1;
    const QString head = tr("head");
    // It may be wider than its layer.
    const double headLeft = std::min((xOf(last) + xOf(last + 1) - widthOf(head)) / 2, width() - widthOf(head));
    double free = 0;
    for (int32_t layer = 0; layer < m_plan.numLayers; ++layer) {
        painter.setPen(theme.edge);
        painter.drawLine(QPointF(xOf(layer), top), QPointF(xOf(layer), top + 3));
        // "block 7" is counted as 7, the ends have their names.
        const QString text = layer == 0 ? tr("emb") : layer == last ? head : QString::number(layer - 1);
        const double left = layer == last ? headLeft : (xOf(layer) + xOf(layer + 1) - widthOf(text)) / 2;
        const bool isNumber = layer > 0 && layer < last;
        const bool hasNoRoom = left < free || left + widthOf(text) + kBetweenNumbers > headLeft;
        if (isNumber && (hasNoRoom || (layer - 1) % every != 0)) continue;
        painter.setPen(theme.dim);
        painter.drawText(QPointF(left, top + 4 + metrics.ascent()), text);
        free = left + widthOf(text) + kBetweenNumbers;
    }
}

void PartitionEditor::paintCut(QPainter& painter, const Cut& cut, bool isChosen) const {
    const double top = cut.row == Cut::Row::kBackward ? row() + kLayers : 0;
    const double bottom = cut.row == Cut::Row::kForward ? row() : 2 * row() + kLayers;
    const double x = xOf(cut.layer);
    const theme::Theme& theme = colours();
    painter.setPen(QPen(theme.accent, isChosen ? 2 : 1));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    const QRectF handle(x - 5, (cut.row == Cut::Row::kBackward ? row() + kLayers : 0) + row() / 2 - 10, 10, 20);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.accent);
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(handle, 3, 3);
    painter.setPen(theme.onAccent);
    for (const double dx : {-1.5, 1.5})
        painter.drawLine(QPointF(x + dx, handle.top() + 6), QPointF(x + dx, handle.bottom() - 6));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void PartitionEditor::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = colours();
    if (!m_answer) {
        painter.setPen(theme.dim);
        painter.drawText(rect(), Qt::AlignCenter, tr("Shown as soon as a model is chosen and something fits."));
        return;
    }
    painter.setOpacity(opacity());
    const auto names = [&](double top, const QString& name, std::size_t count) {
        QFont bold = font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(QRectF(0, top + 4, kNames, 20), Qt::AlignVCenter, name);
        QFont small = font();
        small.setPointSizeF(0.85 * small.pointSizeF());
        painter.setFont(small);
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, top + 24, kNames, 18), Qt::AlignVCenter,
                         count == 1 ? tr("1 stage") : tr("%1 stages").arg(count));
    };
    names(0, tr("Forward"), m_plan.forward.size());
    names(row() + kLayers, tr("Backward"), m_plan.backward.size() + 1);
    paintLayers(painter);
    for (const plan::Stage& stage : m_stages) {
        painter.setOpacity(opacity() * (m_lit.valid() && stage.id != m_lit ? kReceding : 1));
        paintStage(painter, stage);
    }
    painter.setOpacity(opacity());
    if (m_chosenStage.valid()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(m_stages[m_chosenStage.index()]).adjusted(0, 1, 0, -1));
    }
    if (m_hovered && m_hovered != m_chosen) paintCut(painter, m_cuts[*m_hovered], false);
    if (m_chosen && !m_chosenStage.valid() && (hasFocus() || m_dragging)) paintCut(painter, m_cuts[*m_chosen], true);
    QFont small = font();
    small.setPointSizeF(0.85 * small.pointSizeF());
    painter.setFont(small);
    painter.setPen(theme.dim);
    painter.drawText(QRectF(kNames, 2 * row() + kLayers + 4, width() - kNames, 18), Qt::AlignVCenter,
                     m_plan.replicas > 1
                         ? tr("Height of the fill: memory of the weights (full = %1). Width of a layer: its time. "
                              "Each of %2 devices takes all stages, for its part of a step.")
                               .arg(sizeOf(m_mostBytes))
                               .arg(m_plan.replicas)
                         : tr("Height of the fill: memory of the weights (full = %1). Width of a layer: its time. "
                              "Numeral: the device of that slot in the first step.")
                               .arg(sizeOf(m_mostBytes)));
}

std::optional<std::size_t> PartitionEditor::cutAt(const QPointF& position) const {
    std::optional<std::size_t> nearest;
    double best = kReach;
    for (std::size_t i = 0; i < m_cuts.size(); ++i) {
        const bool inForward = position.y() <= row() + kLayers / 2;
        if ((m_cuts[i].row == Cut::Row::kForward && !inForward) || (m_cuts[i].row == Cut::Row::kBackward && inForward))
            continue;
        const double distance = std::abs(xOf(m_cuts[i].layer) - position.x());
        if (distance <= best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

void PartitionEditor::moveChosen(int32_t layer, bool continues) {
    const Cut before = m_cuts[*m_chosen];
    plan::Plan moved = withCutAt(m_plan, before, layer);
    if (moved.forward == m_plan.forward && moved.fused == m_plan.fused && moved.backward == m_plan.backward) return;
    // The cut may be the same as another one of the other row then: the chosen one is found by its row.
    const auto distance = [&](const Cut& cut) { return cut.row == before.row ? std::abs(cut.layer - layer) : 1 << 20; };
    m_chosen.reset();
    setPlan(std::move(moved));
    const auto nearest = std::ranges::min_element(m_cuts, {}, distance);
    m_chosen = static_cast<std::size_t>(nearest - m_cuts.begin());
    emit cutMoved(m_plan, continues);
}

void PartitionEditor::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_answer) return;
    m_chosen = cutAt(event->position());
    m_dragging = m_chosen.has_value();
    update();
}

void PartitionEditor::mouseMoveEvent(QMouseEvent* event) {
    if (!m_answer) return;
    if (m_dragging && m_chosen) {
        const int32_t layer = layerAt(event->position().x());
        if (layer != m_cuts[*m_chosen].layer) moveChosen(layer, true);
        return;
    }
    const auto under = std::ranges::find_if(
        m_stages, [&](const plan::Stage& stage) { return rectOf(stage).contains(event->position()); });
    hover(under == m_stages.end() ? StageId() : under->id);
    const auto hovered = cutAt(event->position());
    if (hovered == m_hovered) return;
    m_hovered = hovered;
    setCursor(hovered ? Qt::SplitHCursor : Qt::ArrowCursor);
    update();
}

void PartitionEditor::mouseReleaseEvent(QMouseEvent*) {
    m_dragging = false;
    update();
}

void PartitionEditor::leaveEvent(QEvent*) {
    hover({});
    m_hovered.reset();
    update();
}

void PartitionEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Home) {
        emit computedWanted();
    } else if (walk(event->key())) {
        update();
    } else if (m_chosen && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        moveChosen(m_cuts[*m_chosen].layer + (event->key() == Qt::Key_Left ? -1 : 1), event->isAutoRepeat());
    } else {
        QWidget::keyPressEvent(event);
    }
}

void PartitionEditor::focusInEvent(QFocusEvent* event) {
    if (!m_chosen && !m_cuts.empty() && event->reason() == Qt::TabFocusReason) m_chosen = 0;
    if (!m_chosen && !m_cuts.empty() && event->reason() == Qt::BacktabFocusReason) m_chosen = m_cuts.size() - 1;
    QWidget::focusInEvent(event);
    update();
}

void PartitionEditor::focusOutEvent(QFocusEvent* event) {
    chooseStage({});
    QWidget::focusOutEvent(event);
    update();
}

bool PartitionEditor::focusNextPrevChild(bool next) {
    chooseStage({});
    if (hasFocus() && m_chosen && (next ? *m_chosen + 1 < m_cuts.size() : *m_chosen > 0)) {
        *m_chosen += next ? 1 : -1;
        update();
        return true;
    }
    m_chosen.reset();
    return QWidget::focusNextPrevChild(next);
}

bool PartitionEditor::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const plan::Stage& stage : m_stages)
        if (rectOf(stage).contains(help->pos())) {
            QToolTip::showText(help->globalPos(), textOf(stage), this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

} // namespace roundpipe::ui::pages
