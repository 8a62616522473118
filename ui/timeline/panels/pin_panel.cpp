// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/panels/pin_panel.h"

#include "ui/timeline/geometry/microbatch_way.h"
#include "ui/timeline/painting/slice_text.h"
#include "ui/translations/number_text.h"

#include <QLabel>
#include <QTextDocument>
#include <QVBoxLayout>

#include <set>

namespace roundpipe::ui::timeline {
namespace {

// A number and its unit stay in one line.
QString unbroken(QString text) {
    return text.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
}

} // namespace

PinPanel::PinPanel(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent)
    : QWidget(parent), m_plot(plot), m_themes(themes), m_head(new QLabel), m_way(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    for (QLabel* label : {m_head, m_way}) {
        label->setTextFormat(Qt::RichText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        column->addWidget(label);
    }
    column->addStretch(1);
    setAccessibleName(tr("The pinned slice"));
    connect(m_way, &QLabel::linkActivated, this, [this](const QString& index) {
        const auto& pinned = m_plot.pinned();
        if (pinned && index.toUInt() < pinned->flow.slices.size())
            m_plot.pin(trace::Record(pinned->flow.slices[index.toUInt()]));
    });
    connect(&plot, &TimelinePlot::pinnedChanged, this, &PinPanel::show);
    connect(&themes, &theme::ThemeManager::changed, this, &PinPanel::show);
}

QString PinPanel::plainText() const {
    QTextDocument document;
    document.setHtml(m_head->text() + m_way->text());
    return document.toPlainText();
}

void PinPanel::show() {
    const auto& pinned = m_plot.pinned();
    if (!pinned) return;
    m_head->setText(headText(*pinned));
    m_way->setText(wayText(*pinned));
    setAccessibleDescription(plainText());
}

QString PinPanel::headText(const Pinned& pinned) const {
    const trace::Record& slice = pinned.slice;
    const theme::Theme& theme = m_themes.theme();
    QString text =
        QStringLiteral("<p><b>%1</b><br>")
            .arg((slice.kind == trace::Kind::kWait ? theme::idleName(slice.reason) : theme::kindName(slice.kind))
                     .toHtmlEscaped());
    const QString plain = slicePlainText(slice, m_plot.layerName(slice.layer));
    QStringList facts{slice.kind == trace::Kind::kWait ? plain : plain.section(QStringLiteral(" · "), 1)};
    if (slice.bytes > 0 && slice.endNs > slice.startNs)
        facts += tr("%1 at %2 GB/s")
                     .arg(translations::bytesText(slice.bytes))
                     .arg(translations::fixedText(
                         static_cast<double>(slice.bytes) / static_cast<double>(slice.endNs - slice.startNs), 2));
    return text + QStringLiteral("<span style='color:%1'>%2</span></p>")
                      .arg(theme.dim.name(), facts.join(QStringLiteral("<br>")));
}

QString PinPanel::wayText(const Pinned& pinned) const {
    const std::vector<WayStop> way = wayOf(pinned.flow);
    if (way.empty()) return {};
    const theme::Theme& theme = m_themes.theme();
    int64_t computedNs = 0, waitedNs = 0;
    std::set<DeviceId> devices;
    for (const WayStop& stop : way) {
        computedNs += stop.computedNs;
        waitedNs += stop.waitedNs;
        devices.insert(trace::deviceOf(pinned.flow.slices[stop.slice].lane));
    }
    QString text = QStringLiteral("<p><b>%1</b></p><p style='color:%2'>%3</p>")
                       .arg(tr("Microbatch %1").arg(pinned.slice.microbatch.value), theme.dim.name(),
                            tr("%1 on %2: %3 computing, %4 waiting")
                                .arg(tr("%n stage(s)", "it goes through them", static_cast<int>(way.size())),
                                     tr("%n device(s)", "behind: on", static_cast<int>(devices.size())),
                                     unbroken(durationShown(computedNs)), unbroken(durationShown(waitedNs))));
    text += QStringLiteral("<table width='100%' cellpadding='2'><tr style='color:%1'><td>%2</td><td>%3</td>"
                           "<td align='right'>%4</td><td align='right'>%5</td></tr>")
                .arg(theme.dim.name(), tr("Stage"), tr("Device"), tr("ms"), tr("Waited"));
    for (const WayStop& stop : way) {
        const trace::Record& slice = pinned.flow.slices[stop.slice];
        const bool isChosen = slice.slot == pinned.slice.slot;
        const bool isLong = stop.waitedNs > waitedNs / 4 && stop.waitedNs > stop.computedNs;
        text += QStringLiteral(
                    "<tr%1><td><a href='%2' style='color:%3'>S%4</a></td><td>%5 "
                    "<span style='color:%6'>■</span></td><td align='right'>%7</td><td align='right'>%8</td></tr>")
                    .arg(isChosen ? QStringLiteral(" bgcolor='%1'").arg(theme.accentTint.name()) : QString())
                    .arg(stop.slice)
                    .arg(theme.accent.name())
                    .arg(slice.stage.value)
                    .arg(trace::deviceOf(slice.lane).value)
                    .arg(theme.kind(slice.kind).name(), millisecondsShown(stop.computedNs),
                         isLong ? QStringLiteral("<b>%1</b>").arg(millisecondsShown(stop.waitedNs))
                                : millisecondsShown(stop.waitedNs));
    }
    return text + QStringLiteral("</table>");
}

} // namespace roundpipe::ui::timeline
