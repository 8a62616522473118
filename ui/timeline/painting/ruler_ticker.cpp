// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/ruler_ticker.h"

#include "ui/timeline/geometry/time_axis.h"
#include "ui/translations/number_text.h"

namespace roundpipe::ui::timeline {

void RulerTicker::generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                           QVector<double>* subTicks, QVector<QString>* labels) {
    ticks.clear();
    if (subTicks != nullptr) subTicks->clear();
    if (labels != nullptr) labels->clear();
    if (m_scene.isEmpty()) return; // there is no time to mark
    const int64_t originNs = m_scene.store->originNs();
    const Viewport& view = m_scene.view;
    for (const TimeMark& mark : timeMarks(view.beginNs() - originNs, view.endNs() - originNs, view.width(), 110)) {
        if (mark.timeNs < 0) continue; // nothing was before the origin
        const double seconds = static_cast<double>(mark.timeNs) * 1e-9;
        if (mark.label.empty()) {
            if (subTicks != nullptr) subTicks->append(seconds);
            continue;
        }
        ticks.append(seconds);
        if (labels != nullptr) labels->append(translations::localText(mark.label));
    }
}

} // namespace roundpipe::ui::timeline
