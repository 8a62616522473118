// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/plan/memory_bars.h"

#include "ui/translations/device_text.h"
#include "ui/translations/number_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLine = 24;
constexpr std::size_t kUsual = 6; // bars: the room that is kept until they are known
constexpr int kThickest = 26;     // of a bar, in pixels
constexpr int kLegendLine = 18;
constexpr int kAboveLegend = 6;
constexpr int kNameWidth = 84;
constexpr int kNumberWidth = 128;

QString sizeText(int64_t bytes) {
    return translations::bytesText(bytes);
}

} // namespace

MemoryBars::MemoryBars(const theme::ThemeManager& themes, QWidget* parent) : PlanPicture(themes, parent) {
    setAccessibleName(tr("Memory"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void MemoryBars::setAnswer(const session::PlanAnswer* answer, const session::DiskUse& disk) {
    const std::size_t before = m_bars.size();
    m_bars.clear();
    for (std::size_t d = 0; answer != nullptr && d < answer->choice.deviceMemory.size(); ++d)
        addDevice(*answer, d);
    if (answer != nullptr && answer->hasPlan) {
        addHost(*answer);
        addDisk(disk, answer->rig.host.diskBytes);
    }
    chooseLegend();
    QStringList words;
    for (const Bar& bar : m_bars)
        words.append(bar.available > 0 ? tr("%1: %2 of %3").arg(bar.name, sizeText(bar.needed), sizeText(bar.available))
                                       : tr("%1: %2").arg(bar.name, sizeText(bar.needed)));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    if (m_bars.size() != before) updateGeometry();
    update();
}

void MemoryBars::addDevice(const session::PlanAnswer& answer, std::size_t device) {
    const plan::DeviceMemoryTable& table = answer.choice.deviceMemory[device];
    const plan::DeviceSpec& there = answer.rig.devices[device];
    const theme::Theme& theme = colours();
    const QString less = tr("less with fewer or shorter sequences at a time");
    m_bars.push_back({translations::deviceText(there.isGpu, static_cast<int32_t>(device)),
                      {{tr("weights"), theme.kind(trace::Kind::kUploadWeights), table.weights + table.residents,
                        tr("a stage at a time, the next one, and layers that stay")},
                       {tr("activations"), theme.kind(trace::Kind::kUploadActivation), table.activations, less},
                       {tr("gradients"), theme.kind(trace::Kind::kDownloadGradient), table.gradients,
                        tr("two stages' worth, of what is trained")},
                       {tr("workspace"), theme.kind(trace::Kind::kForward), table.workspace, less},
                       {tr("rows"), theme.kind(trace::Kind::kUploadAdapter), table.batches, less},
                       {tr("context"), theme.kind(trace::Kind::kStep), table.context,
                        tr("driver, libraries and what they allocate")}},
                      table.total(),
                      there.memoryBytes});
}

void MemoryBars::addHost(const session::PlanAnswer& answer) {
    const plan::HostMemoryTable& host = answer.choice.hostMemory;
    const plan::HostSpec& there = answer.rig.host;
    const theme::Theme& theme = colours();
    const auto partsOf = [&](const plan::HostParts& parts) {
        return std::vector<Part>{
            {tr("weights"), theme.kind(trace::Kind::kUploadWeights), parts.weights,
             tr("all of the model's, less in fewer bits")},
            {tr("optimizer"), theme.kind(trace::Kind::kOptimizer), parts.optimizer,
             tr("what is trained in full precision, and its moments")},
            {tr("gradients"), theme.kind(trace::Kind::kDownloadGradient), parts.gradients + parts.gradientSums,
             tr("of what is trained; their sum, where a step has several rounds")},
            {tr("activations"), theme.kind(trace::Kind::kUploadActivation), parts.activations,
             tr("between stages, and what layers save there")},
            {tr("rows"), theme.kind(trace::Kind::kUploadAdapter), parts.rows, tr("of the microbatches under way")}};
    };
    if (host.pinned > 0) {
        plan::HostParts locked = host.parts; // what devices read and write
        locked.optimizer = locked.gradientSums = 0;
        m_bars.push_back({tr("Page-locked"), partsOf(locked), host.pinned,
                          there.pinnedBytes > 0 ? there.pinnedBytes : there.memoryBytes});
    }
    m_bars.push_back({tr("Host RAM"), partsOf(host.parts), host.total(), there.memoryBytes});
}

void MemoryBars::addDisk(const session::DiskUse& disk, int64_t available) {
    const theme::Theme& theme = colours();
    m_bars.push_back({tr("Disk"),
                      {{tr("checkpoints"), theme.accent, disk.checkpoints, tr("the last one and the best")},
                       {tr("earlier checkpoints"), theme.kind(trace::Kind::kRecompute), disk.earlier,
                        tr("as many as are kept; they go where there is no room")},
                       {tr("result"), theme.kind(trace::Kind::kBackward), disk.result, tr("what the run leaves")},
                       {tr("trace"), theme.kind(trace::Kind::kWait), disk.trace, tr("longer with each step")}},
                      disk.total(),
                      available,
                      disk.total() - disk.least()});
}

// Parts of the same name have the same colour in all bars.
void MemoryBars::chooseLegend() {
    constexpr double kVisible = 0.01;
    m_legend.clear();
    for (const Bar& bar : m_bars) {
        const double most = static_cast<double>(std::max(bar.needed, bar.available));
        for (const Part& part : bar.parts) {
            const bool isThere = std::ranges::find(m_legend, part.name, &Part::name) != m_legend.end();
            if (!isThere && bar.available > 0 && static_cast<double>(part.bytes) > kVisible * most)
                m_legend.push_back(part);
        }
    }
}

const MemoryBars::Bar* MemoryBars::fullest() const {
    const auto fill = [](const Bar& bar) {
        return bar.available > 0 ? static_cast<double>(bar.needed - bar.spared) / static_cast<double>(bar.available)
                                 : 0;
    };
    const auto bar = std::ranges::max_element(m_bars, {}, fill);
    return bar != m_bars.end() ? &*bar : nullptr;
}

int MemoryBars::numLines() const {
    return static_cast<int>(m_bars.empty() ? kUsual : m_bars.size());
}

int MemoryBars::line() const {
    return filledRow(kLine, numLines(), legendHeight());
}

int MemoryBars::legendHeight() const {
    return kAboveLegend + (m_bars.empty() ? 1 : legend().numLines) * kLegendLine;
}

QSize MemoryBars::sizeHint() const {
    return {330, roomyRow(kLine) * numLines() + legendHeight()};
}

void MemoryBars::resizeEvent(QResizeEvent* event) {
    PlanPicture::resizeEvent(event);
    if (event->oldSize().width() != width()) updateGeometry(); // the legend may have another number of lines
}

void MemoryBars::paintBar(QPainter& painter, const Bar& bar, double top) const {
    const theme::Theme& theme = colours();
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, top, kNameWidth, line()), Qt::AlignVCenter, bar.name);
    const double height = std::min(line() - 12, kThickest);
    const QRectF whole(kNameWidth, top + (line() - height) / 2, width() - kNameWidth - kNumberWidth, height);
    painter.fillRect(whole, theme.dark ? theme.raised : theme.window);
    // Where too much is needed the bar holds all of it, and a line says how much there is.
    const double most = static_cast<double>(std::max({bar.needed, bar.available, int64_t{1}}));
    double x = whole.left();
    for (const Part& part : bar.parts) {
        if (bar.available == 0) break; // no bar can say of how much
        const double length = whole.width() * static_cast<double>(part.bytes) / most;
        painter.fillRect(QRectF(x, whole.top(), length, whole.height()), part.colour);
        x += length;
    }
    const double limit = whole.left() + whole.width() * static_cast<double>(bar.available) / most;
    if (bar.fits() && bar.available > 0 && bar.needed > bar.available)
        painter.fillRect(QRectF(limit - 1, whole.top() - 3, 2, whole.height() + 6), theme.text);
    if (!bar.fits()) {
        const QRectF excess(limit, whole.top(), whole.right() - limit, whole.height());
        painter.fillRect(excess, theme.badTint);
        painter.fillRect(excess, QBrush(theme.bad, Qt::BDiagPattern));
        painter.fillRect(QRectF(limit - 1, whole.top() - 3, 2, whole.height() + 6), theme.bad);
    }
    const QString number =
        bar.available > 0 ? tr("%1 of %2").arg(sizeText(bar.needed), sizeText(bar.available)) : sizeText(bar.needed);
    painter.setPen(bar.fits() ? theme.text : theme.bad);
    painter.drawText(QRectF(whole.right(), top, kNumberWidth, line()), Qt::AlignVCenter | Qt::AlignRight, number);
}

QFont MemoryBars::legendFont() const {
    QFont small = font();
    small.setPointSizeF(0.85 * small.pointSizeF());
    return small;
}

MemoryBars::Legend MemoryBars::legend() const {
    const QFontMetricsF metrics(legendFont());
    Legend legend;
    QPointF at;
    for (const Part& part : m_legend) {
        const double needed = metrics.horizontalAdvance(part.name) + 26.0;
        if (at.x() > 0 && at.x() + needed > width()) {
            at = {0, at.y() + kLegendLine};
            ++legend.numLines;
        }
        legend.places.push_back({at, QSizeF(needed, kLegendLine)});
        at.rx() += needed;
    }
    return legend;
}

void MemoryBars::paintLegend(QPainter& painter, double top) const {
    const theme::Theme& theme = colours();
    painter.setFont(legendFont());
    painter.setPen(theme.dim);
    const std::vector<QRectF> places = legend().places;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Part& part = m_legend[i];
        const QRectF place = places[i].translated(0, top);
        painter.fillRect(QRectF(place.left(), place.top() + 5, 9, 9), part.colour);
        painter.drawText(place.adjusted(13, 0, 0, 0), Qt::AlignVCenter, part.name);
    }
}

void MemoryBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_bars.empty()) {
        painter.setPen(colours().dim);
        painter.drawText(rect(), Qt::AlignCenter, tr("Nothing is known yet."));
        return;
    }
    painter.setOpacity(opacity());
    double top = 0;
    for (const Bar& bar : m_bars) {
        paintBar(painter, bar, top);
        top += line();
    }
    paintLegend(painter, top + kAboveLegend);
}

bool MemoryBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto which = static_cast<std::size_t>(help->pos().y() / line());
    if (which >= m_bars.size()) {
        QToolTip::hideText();
        return true;
    }
    QStringList lines{m_bars[which].name};
    for (const Part& part : m_bars[which].parts)
        if (part.bytes > 0) lines.append(tr("%1: %2").arg(part.name, sizeText(part.bytes)));
    if (m_bars[which].fits() && m_bars[which].needed > m_bars[which].available && m_bars[which].available > 0)
        lines.append(tr("Earlier checkpoints go where there is no room."));
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

} // namespace roundpipe::ui::pages
