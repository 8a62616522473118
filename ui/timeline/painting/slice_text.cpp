// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/slice_text.h"

#include "ui/theme/theme.h"
#include "ui/timeline/geometry/time_axis.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::timeline {
namespace {

struct SliceWords { // the context of their translations
    Q_DECLARE_TR_FUNCTIONS(timeline)
};

} // namespace

QString durationShown(int64_t ns) {
    return translations::localText(durationText(ns));
}

QString millisecondsShown(int64_t ns) {
    const double value = static_cast<double>(ns) * 1e-6;
    if (value >= 9999.5) return durationShown(ns);
    return translations::fixedText(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

QString roleName(trace::LaneRole role) {
    switch (role) {
    case trace::LaneRole::kCompute:
        return SliceWords::tr("compute");
    case trace::LaneRole::kWeightsUp:
        return SliceWords::tr("weights ↑");
    case trace::LaneRole::kActivationsUp:
        return SliceWords::tr("activations ↑");
    case trace::LaneRole::kActivationsDown:
        return SliceWords::tr("activations ↓");
    case trace::LaneRole::kGradientsDown:
        return SliceWords::tr("gradients, saved ↓");
    case trace::LaneRole::kMemory:
        return SliceWords::tr("memory");
    case trace::LaneRole::kOptimizer:
        return SliceWords::tr("optimizer");
    case trace::LaneRole::kSession:
        return SliceWords::tr("steps");
    }
    return {};
}

QString waitText(const trace::Record& wait, const QString& layerName) {
    const QString layer = !layerName.isEmpty() ? layerName
                          : wait.layer.valid() ? SliceWords::tr("layer %1").arg(wait.layer.value)
                                               : SliceWords::tr("its layers");
    switch (wait.reason) {
    case trace::IdleReason::kWeights:
        return SliceWords::tr("waits for the weights of %1").arg(layer);
    case trace::IdleReason::kPacket:
        return wait.blockingSlot >= 0 ? SliceWords::tr("waits for a packet of slot %1").arg(wait.blockingSlot)
                                      : SliceWords::tr("waits for a packet");
    case trace::IdleReason::kUpdate:
        return wait.blockingSlot >= 0
                   ? SliceWords::tr("waits for the update, after the gradients of slot %1").arg(wait.blockingSlot)
                   : SliceWords::tr("waits for the update");
    case trace::IdleReason::kGradient:
        return SliceWords::tr("waits for room: gradients of slot %1 are on their way").arg(wait.blockingSlot);
    case trace::IdleReason::kHost:
        return SliceWords::tr("nothing was issued by the host");
    case trace::IdleReason::kPause:
        return SliceWords::tr("the run is paused");
    case trace::IdleReason::kNone:
        break;
    }
    return SliceWords::tr("waits");
}

QString sliceLabel(const trace::Record& slice, int width, int characterWidth) {
    constexpr int kMargins = 8;
    if (characterWidth + kMargins > width) return {}; // of ten thousand slices on show hardly one has room for a text
    QString full;
    QString brief;
    if (slice.kind == trace::Kind::kStep) {
        full = SliceWords::tr("step %1").arg(slice.step + 1);
        brief = QString::number(slice.step + 1);
    } else if (slice.microbatch.valid()) {
        full = QStringLiteral("S%1 · m%2").arg(slice.stage.value).arg(slice.microbatch.value);
        brief = QString::number(slice.microbatch.value);
    } else if (slice.layer.valid()) {
        full = brief = QStringLiteral("L%1").arg(slice.layer.value);
    }
    if (full.size() * characterWidth + kMargins <= width) return full;
    if (brief.size() * characterWidth + kMargins <= width) return brief;
    return {};
}

QString slicePlainText(const trace::Record& slice, const QString& layerName) {
    QStringList parts{slice.kind == trace::Kind::kWait ? waitText(slice, layerName) : theme::kindName(slice.kind)};
    if (slice.stage.valid()) parts += SliceWords::tr("stage %1").arg(slice.stage.value);
    if (slice.microbatch.valid()) parts += SliceWords::tr("microbatch %1").arg(slice.microbatch.value);
    if (slice.layer.valid() && slice.kind != trace::Kind::kWait)
        parts += layerName.isEmpty() ? SliceWords::tr("layer %1").arg(slice.layer.value) : layerName;
    if (slice.step >= 0) parts += SliceWords::tr("step %1").arg(slice.step + 1);
    parts += durationShown(slice.endNs - slice.startNs);
    return parts.join(QStringLiteral(" · "));
}

QString sliceTooltip(const trace::Record& slice, const QString& layerName, std::size_t numSlices) {
    QString rows;
    const auto row = [&](const QString& name, const QString& value) {
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td></tr>")
                    .arg(name, value.toHtmlEscaped());
    };
    row(SliceWords::tr("Duration"), durationShown(slice.endNs - slice.startNs));
    if (slice.kind == trace::Kind::kWait) row(SliceWords::tr("Why"), waitText(slice, layerName));
    if (slice.step >= 0) row(SliceWords::tr("Step"), QString::number(slice.step + 1));
    if (slice.slot >= 0) row(SliceWords::tr("Slot"), QString::number(slice.slot));
    if (slice.stage.valid()) row(SliceWords::tr("Stage"), QStringLiteral("S%1").arg(slice.stage.value));
    if (slice.microbatch.valid()) row(SliceWords::tr("Microbatch"), QStringLiteral("m%1").arg(slice.microbatch.value));
    if (slice.layer.valid())
        row(SliceWords::tr("Layer"), layerName.isEmpty() ? QString::number(slice.layer.value) : layerName);
    if (slice.bytes > 0) {
        row(SliceWords::tr("Moved"), translations::bytesText(slice.bytes));
        if (slice.endNs > slice.startNs)
            row(SliceWords::tr("Rate"),
                QStringLiteral("%1 GB/s").arg(translations::fixedText(
                    static_cast<double>(slice.bytes) / static_cast<double>(slice.endNs - slice.startNs), 2)));
    }
    QString text = QStringLiteral("<b>%1</b><table>%2</table>").arg(theme::kindName(slice.kind), rows);
    if (numSlices > 1) text += SliceWords::tr("Longest of %1 slices here; zoom in to tell them apart.").arg(numSlices);
    return text;
}

} // namespace roundpipe::ui::timeline
