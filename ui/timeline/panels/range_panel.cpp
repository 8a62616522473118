// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/range_panel.h"

#include "ui/timeline/painting/slice_text.h"
#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"

#include <QPainter>

#include <algorithm>
#include <numeric>
#include <span>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kPanelWidth = 292;
constexpr int kLine = 17;
constexpr int kTop = 44; // below the headlines
constexpr std::size_t kMostStages = 24;

QString bytesText(double bytes) {
    return translations::bytesText(static_cast<int64_t>(bytes));
}

// Of the reasons why a device waited two at most are worth a line, and none that would read 0.0 %.
std::span<const trace::IdleStatistics> toldOf(const trace::DeviceStatistics& device, int64_t durationNs) {
    const auto isSeen = [&](const trace::IdleStatistics& idle) { return idle.totalNs * 2000 >= durationNs; };
    const auto numSeen = std::ranges::find_if_not(device.idle, isSeen) - device.idle.begin();
    return std::span(device.idle).first(static_cast<std::size_t>(std::min<std::ptrdiff_t>(numSeen, 2)));
}

} // namespace

RangePanel::RangePanel(const theme::ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setFixedWidth(kPanelWidth);
    setAccessibleName(tr("Statistics of the range"));
    connect(&themes, &theme::ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void RangePanel::set(trace::RangeStatistics statistics, bool selected) {
    m_statistics = std::move(statistics);
    m_selected = selected;
    m_counting = false;
    setAccessibleDescription(summary());
    setMinimumHeight(bottom()); // the view around it scrolls
    update();
}

void RangePanel::setCounting(bool counting) {
    m_counting = counting;
    update();
}

void RangePanel::setFollowing(bool follows) {
    if (m_follows == follows) return;
    m_follows = follows;
    update();
}

// Those of a moment ago are not those that the ruler has by now, so none are named while they pass by.
QString RangePanel::stepsText() const {
    if (m_statistics.firstStep < 0 || (m_follows && !m_selected)) return {};
    if (m_statistics.firstStep == m_statistics.lastStep) return tr("step %1").arg(m_statistics.firstStep + 1);
    return tr("steps %1–%2").arg(m_statistics.firstStep + 1).arg(m_statistics.lastStep + 1);
}

// One sentence a device: how busy, and why not.
QString RangePanel::summary() const {
    QStringList sentences{bubbleText()};
    for (const trace::DeviceStatistics& device : m_statistics.devices) {
        QString text = tr("%1 is %2 % busy")
                           .arg(translations::deviceText(device.name, device.device.value))
                           .arg(translations::fixedText(device.busyShare * 100, 0));
        if (!device.idle.empty()) text += QStringLiteral(", ") + whyText(device.idle.front());
        sentences += text;
    }
    return sentences.join(QStringLiteral(". "));
}

double RangePanel::bubbleShare() const {
    double sum = 0;
    for (const trace::DeviceStatistics& device : m_statistics.devices)
        sum += device.bubbleShare;
    return sum / static_cast<double>(std::max<std::size_t>(m_statistics.devices.size(), 1));
}

QString RangePanel::bubbleText() const {
    if (m_statistics.stepsNs == 0 || m_statistics.firstStep < 0) {
        if (m_statistics.between.empty()) return tr("no steps in this range");
        QStringList names; // as the ruler has them
        for (const trace::Kind kind : m_statistics.between)
            names += kind == trace::Kind::kWait ? theme::idleName(trace::IdleReason::kPause) : theme::kindName(kind);
        return tr("no steps: %1").arg(names.join(QStringLiteral(", ")));
    }
    return tr("bubble %1 % of the steps, over all devices").arg(translations::fixedText(bubbleShare() * 100, 1));
}

QString RangePanel::whyText(const trace::IdleStatistics& idle) const {
    const double share = 100.0 * static_cast<double>(idle.totalNs) /
                         static_cast<double>(std::max<int64_t>(m_statistics.durationNs(), 1));
    const QString text =
        tr("%1 %2 %").arg(theme::idleName(idle.reason)).arg(translations::fixedText(share, share < 9.95 ? 1 : 0));
    return idle.slot < 0 ? text : tr("%1 (slot %2)").arg(text).arg(idle.slot);
}

std::size_t RangePanel::numStagesShown() const {
    return std::min(kMostStages, m_statistics.stages.size());
}

int RangePanel::bottom() const {
    int lines = 2 + static_cast<int>(m_statistics.kinds.size());
    for (const trace::DeviceStatistics& device : m_statistics.devices)
        lines += 2 + static_cast<int>(toldOf(device, m_statistics.durationNs()).size());
    lines += 2 + static_cast<int>(numStagesShown());
    return kTop + lines * kLine + 8;
}

void RangePanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& theme = m_themes.theme();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(m_selected ? theme.accent : theme.text);
    const QString span = durationShown(m_statistics.durationNs());
    painter.drawText(QRect(0, 0, width(), 22), Qt::AlignVCenter,
                     m_counting   ? tr("counting…")
                     : m_selected ? tr("Selected  ΔT %1").arg(span)
                                  : tr("On show  %1").arg(span));
    painter.setFont(font());
    if (m_counting) painter.setOpacity(0.4); // numbers of an earlier range
    painter.setPen(theme.dim);
    painter.drawText(QRect(0, 0, width(), 22), Qt::AlignVCenter | Qt::AlignRight, stepsText());
    painter.drawText(QRect(0, 20, width(), 20), Qt::AlignVCenter, bubbleText());
    drawTables(painter, drawDevices(painter, kTop));
}

// Busy and idle as parts of one bar, the reasons hatched as in the lanes; then the two that cost most in words.
int RangePanel::drawDevices(QPainter& painter, int y) const {
    const theme::Theme& theme = m_themes.theme();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.9);
    painter.setFont(small);
    const int besideBar = painter.fontMetrics().horizontalAdvance(tr("%1 % busy").arg(100)) + 8;
    for (const trace::DeviceStatistics& device : m_statistics.devices) {
        const QRect tile(0, y + 1, 15, 15);
        painter.fillRect(tile, theme.text);
        painter.setPen(theme.card);
        painter.drawText(tile, Qt::AlignCenter, QString::number(device.device.value));
        const QRect bar(22, y + 3, width() - 22 - besideBar, 11);
        painter.fillRect(bar, theme.raised);
        double left = bar.left();
        const auto part = [&](double share, const QBrush& brush) {
            const double partWidth = std::clamp(share * bar.width(), 0.0, bar.right() + 1 - left);
            painter.fillRect(QRectF(left, bar.top(), partWidth, bar.height()), brush);
            left += partWidth;
        };
        part(device.busyShare, theme.kind(trace::Kind::kForward));
        const auto durationNs = static_cast<double>(std::max<int64_t>(m_statistics.durationNs(), 1));
        for (const trace::IdleStatistics& idle : device.idle)
            part(static_cast<double>(idle.totalNs) / durationNs, theme.hatch(idle.reason));
        painter.setPen(theme.text);
        painter.drawText(QRect(0, y, width(), kLine), Qt::AlignVCenter | Qt::AlignRight,
                         tr("%1 % busy").arg(translations::fixedText(device.busyShare * 100, 0)));
        y += kLine;
        painter.setPen(theme.dim);
        for (const trace::IdleStatistics& idle : toldOf(device, m_statistics.durationNs())) {
            painter.drawText(QRect(22, y, width() - 22, kLine), Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(whyText(idle), Qt::ElideRight, width() - 22));
            y += kLine;
        }
        const double seconds = durationNs * 1e-9;
        painter.drawText(
            QRect(22, y, width() - 22, kLine), Qt::AlignVCenter | Qt::AlignLeft,
            tr("↑ %1/s   ↓ %2/s").arg(bytesText(device.bytesUp / seconds), bytesText(device.bytesDown / seconds)));
        y += kLine;
    }
    return y + 4;
}

RangePanel::Lines RangePanel::kindLines() const {
    if (m_statistics.kinds.empty()) return {};
    Lines lines{{{}, {tr("Kind · ms"), tr("Count"), tr("p50"), tr("p95"), tr("Moved")}}};
    for (const trace::KindStatistics& kind : m_statistics.kinds)
        if (kind.kind != trace::Kind::kStep && kind.kind != trace::Kind::kWait)
            lines.push_back(
                {m_themes.theme().kind(kind.kind),
                 {theme::kindName(kind.kind), QString::number(kind.count), millisecondsShown(kind.p50Ns),
                  millisecondsShown(kind.p95Ns), kind.bytes > 0 ? bytesText(kind.bytes) : QStringLiteral("–")}});
    return lines;
}

RangePanel::Lines RangePanel::stageLines() const {
    if (m_statistics.stages.empty()) return {};
    Lines lines{{{}, {tr("Stage · ms"), tr("Count"), tr("p50"), tr("p95"), tr("Total")}}};
    for (const trace::StageStatistics& stage : std::span(m_statistics.stages).first(numStagesShown()))
        lines.push_back({m_themes.theme().kind(stage.kind),
                         {QStringLiteral("S%1 %2").arg(stage.stage.value).arg(theme::kindName(stage.kind)),
                          QString::number(stage.count), millisecondsShown(stage.p50Ns), millisecondsShown(stage.p95Ns),
                          durationShown(stage.totalNs)}});
    return lines;
}

// A name and four figures. These have the room that they need, in both tables alike, a name has what is left.
void RangePanel::drawTables(QPainter& painter, int y) const {
    constexpr int kApart = 8, kNameLeft = 14;
    const QFontMetrics metrics = painter.fontMetrics();
    const Lines tables[] = {kindLines(), stageLines()};
    std::array<int, kNumCells> widths{0, 40, 38, 38, 64}; // at least, so that they stand still while a run goes on
    for (const Lines& lines : tables)
        for (const Line& line : lines)
            for (std::size_t c = 1; c < kNumCells; ++c)
                widths[c] = std::max(widths[c], metrics.horizontalAdvance(line.cells[c]) + kApart);
    widths[0] = width() - kNameLeft - std::accumulate(widths.begin() + 1, widths.end(), 0);
    for (const Lines& lines : tables) {
        for (const Line& line : lines) {
            if (line.tile.isValid()) painter.fillRect(QRect(0, y + 5, 8, 8), line.tile);
            painter.setPen(line.tile.isValid() ? m_themes.theme().text : m_themes.theme().dim);
            int left = kNameLeft;
            for (std::size_t c = 0; c < kNumCells; ++c) {
                const QString text =
                    c > 0 ? line.cells[c] : metrics.elidedText(line.cells[c], Qt::ElideRight, widths[c]);
                painter.drawText(QRect(left, y, widths[c], kLine),
                                 Qt::AlignVCenter | (c > 0 ? Qt::AlignRight : Qt::AlignLeft), text);
                left += widths[c];
            }
            y += kLine;
        }
        y += 6;
    }
}

} // namespace roundpipe::ui::timeline
