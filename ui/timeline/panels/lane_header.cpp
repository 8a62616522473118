// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/lane_header.h"

#include "ui/timeline/painting/slice_text.h"
#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kHeaderWidth = 190;
constexpr int kTile = 16;     // the numeral
constexpr int kTileLeft = 14; // after the triangle
constexpr int kNameLeft = 36;
constexpr int kTextGap = 6;
constexpr int kLanesGap = 8; // from the lanes

// "RTX 4090" of "cuda:0 NVIDIA GeForce RTX 4090", of a simulated "sim:0 RTX 4090", or of a predicted "0 RTX 4090": the
// numeral says the rest.
QString shortName(const LaneGroup& group) {
    if (!group.device.valid()) return LaneHeader::tr("Host");
    QString name = QString::fromStdString(group.name);
    const QString numeral = QString::number(group.device.value) + QLatin1Char(' ');
    const auto isCalled = [&name](const char* by) { return name.startsWith(QLatin1String(by)); };
    if (isCalled("cuda:") || isCalled("sim:") || name.startsWith(numeral)) name = name.section(QLatin1Char(' '), 1);
    if (isCalled("cpu:") || name == QLatin1String("CPU worker"))
        return translations::deviceText(false, group.device.value);
    for (const char* maker : {"NVIDIA ", "GeForce "})
        name.remove(QLatin1String(maker));
    return name;
}

} // namespace

LaneHeader::LaneHeader(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_plot(plot), m_themes(themes) {
    setFixedWidth(kHeaderWidth);
    setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the lanes
    setAccessibleName(tr("Devices of the timeline"));
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
    connect(&plot, &TimelinePlot::layoutChanged, this, qOverload<>(&QWidget::update));
}

void LaneHeader::setStatistics(const trace::RangeStatistics& statistics) {
    m_devices = statistics.devices;
    update();
}

void LaneHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setClipRect(0, TimelinePlot::rulerHeight(), width(), height() - TimelinePlot::rulerHeight());
    for (const LaneGroup& group : m_plot.scene().layout.groups)
        drawGroup(painter, group);
    const LaneGroup* group = chosen();
    if (!hasFocus() || group == nullptr) return;
    const int top = TimelinePlot::rulerHeight() - m_plot.scene().scroll + group->top;
    painter.setPen(QPen(m_themes.theme().accent, 2));
    painter.drawRect(1, top, width() - kLanesGap / 2, group->height - 1);
}

// Empty where it is not known.
QString LaneHeader::busyText(DeviceId device) const {
    for (const trace::DeviceStatistics& known : m_devices)
        if (known.device == device && device.valid())
            return tr("%1 % busy").arg(translations::fixedText(known.busyShare * 100, 0));
    return {};
}

void LaneHeader::drawGroup(QPainter& painter, const LaneGroup& group) const {
    const theme::Theme& theme = m_themes.theme();
    const int offset = TimelinePlot::rulerHeight() - m_plot.scene().scroll;
    const int top = offset + group.top;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.86);
    const int rowHeight = group.rows.front().height;
    const bool isLow = group.collapsed && rowHeight < QFontMetrics(bold).height();
    if (isLow) bold.setPointSizeF(small.pointSizeF());
    const int lineHeight = QFontMetrics(bold).height();
    const QRect line(0, top, width(), isLow ? rowHeight : lineHeight + 2); // of the name

    painter.setPen(theme.dim);
    painter.setFont(small);
    painter.drawText(QRect(0, line.top(), kTileLeft, line.height()), Qt::AlignCenter | Qt::TextDontClip,
                     group.collapsed ? QStringLiteral("▸") : QStringLiteral("▾"));
    if (group.device.valid()) drawNumeral(painter, group, line, bold);
    const int nameLeft = group.device.valid() ? kNameLeft : kTileLeft;
    painter.setFont(bold);
    painter.setPen(theme.text);
    const QString busy = busyText(group.device);
    const bool isBelow = rowHeight >= 2 * lineHeight - 4; // else beside the name, where no lanes have theirs
    const int busyWidth = isBelow || group.rows.size() > 1 ? 0 : QFontMetrics(small).horizontalAdvance(busy) + kTextGap;
    const int nameWidth = width() - nameLeft - kTextGap - busyWidth;
    painter.drawText(QRect(nameLeft, line.top(), nameWidth, line.height()),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip,
                     painter.fontMetrics().elidedText(shortName(group), Qt::ElideRight, nameWidth));
    painter.setFont(small);
    painter.setPen(theme.dim);
    if (isBelow)
        painter.drawText(QRect(nameLeft, top + lineHeight, nameWidth, lineHeight), Qt::AlignVCenter | Qt::AlignLeft,
                         busy);
    else if (busyWidth > 0)
        painter.drawText(QRect(0, line.top(), width() - kLanesGap, line.height()),
                         Qt::AlignVCenter | Qt::AlignRight | Qt::TextDontClip, busy);
    for (const LaneRow& row : group.rows)
        if (row.role != trace::LaneRole::kCompute)
            painter.drawText(QRect(0, offset + row.top - 2, width() - kLanesGap, row.height + 4),
                             Qt::AlignVCenter | Qt::AlignRight, roleName(row.role));
}

void LaneHeader::drawNumeral(QPainter& painter, const LaneGroup& group, const QRect& line, const QFont& bold) const {
    const theme::Theme& theme = m_themes.theme();
    const int height = std::min(kTile, line.height() + 2);
    const QRect tile(kTileLeft, line.top() + (line.height() - height) / 2, kTile, height);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(group.pinned ? theme.accent : theme.text);
    painter.drawRoundedRect(tile, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(bold);
    painter.setPen(group.pinned ? theme.onAccent : theme.card);
    painter.drawText(tile, Qt::AlignCenter | Qt::TextDontClip, QString::number(group.device.value));
}

const LaneGroup* LaneHeader::groupAt(int y) const {
    const int at = y - TimelinePlot::rulerHeight() + m_plot.scene().scroll;
    for (const LaneGroup& group : m_plot.scene().layout.groups)
        if (at >= group.top && at < group.top + group.height) return &group;
    return nullptr;
}

void LaneHeader::mousePressEvent(QMouseEvent* event) {
    const LaneGroup* group = groupAt(event->pos().y());
    if (group == nullptr || event->button() != Qt::LeftButton) return;
    const bool onTile = event->pos().x() >= kTileLeft && event->pos().x() < kTileLeft + kTile;
    if (onTile && group->device.valid())
        pin(*group);
    else
        fold(*group);
}

void LaneHeader::fold(const LaneGroup& group) {
    LaneChoice choice = m_plot.laneChoice();
    choice.collapsed[group.device] = !group.collapsed;
    m_plot.setLaneChoice(std::move(choice));
}

void LaneHeader::pin(const LaneGroup& group) {
    LaneChoice choice = m_plot.laneChoice();
    if (choice.pinned.erase(group.device) == 0) choice.pinned.insert(group.device);
    m_plot.setLaneChoice(std::move(choice));
}

const LaneGroup* LaneHeader::chosen() const {
    const std::vector<LaneGroup>& groups = m_plot.scene().layout.groups;
    if (!m_chosen) return groups.empty() ? nullptr : &groups.front();
    const auto found = std::ranges::find(groups, *m_chosen, &LaneGroup::device);
    return found != groups.end() ? &*found : groups.empty() ? nullptr : &groups.front();
}

void LaneHeader::choose(int step) {
    const std::vector<LaneGroup>& groups = m_plot.scene().layout.groups;
    const LaneGroup* group = chosen();
    if (group == nullptr) return;
    const bool isFirst = !m_chosen || !hasFocus(); // it is shown where one is before it goes on
    const auto last = static_cast<int>(groups.size()) - 1;
    const auto at = static_cast<int>(group - groups.data());
    m_chosen = groups[static_cast<std::size_t>(isFirst ? at : std::clamp(at + step, 0, last))].device;
    setFocus(Qt::ShortcutFocusReason);
    scrollToChosen();
    say();
}

void LaneHeader::scrollToChosen() {
    const LaneGroup* group = chosen();
    if (group == nullptr) return;
    const int top = group->top - m_plot.scene().scroll;
    const int room = height() - TimelinePlot::rulerHeight();
    if (top < 0 || group->height > room)
        emit m_plot.scrollRequested(top);
    else if (top + group->height > room)
        emit m_plot.scrollRequested(top + group->height - room);
    update();
}

void LaneHeader::say() {
    const LaneGroup* group = chosen();
    if (group == nullptr) return;
    QStringList words{group->device.valid() ? QString::fromStdString(group->name) : shortName(*group),
                      group->collapsed ? tr("folded") : tr("unfolded")};
    if (group->pinned) words.append(tr("kept on top"));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void LaneHeader::keyPressEvent(QKeyEvent* event) {
    const LaneGroup* group = chosen();
    switch (group == nullptr ? 0 : event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        return choose(event->key() == Qt::Key_Up ? -1 : 1);
    case Qt::Key_Space:
        m_chosen = group->device;
        fold(*group);
        break;
    case Qt::Key_T:
        m_chosen = group->device;
        if (group->device.valid()) pin(*group);
        break;
    case Qt::Key_Escape:
        return m_plot.setFocus(Qt::ShortcutFocusReason);
    default:
        QCoreApplication::sendEvent(&m_plot, event);
        return;
    }
    scrollToChosen(); // where it is now
    say();
}

void LaneHeader::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    say();
    update();
}

void LaneHeader::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

bool LaneHeader::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const LaneGroup* group = groupAt(help->pos().y());
    QToolTip::showText(help->globalPos(),
                       group == nullptr ? QString()
                                        : tr("%1\nClick: fold or unfold its lanes. Click on the "
                                             "number: keep it on top. By keys: ↑ or ↓, then Space or T.")
                                              .arg(QString::fromStdString(group->name)),
                       this);
    return true;
}

} // namespace roundpipe::ui::timeline
