// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/viewport.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::ui::timeline {

void Viewport::setWidth(int pixels) {
    const double scale = nsPerPixel();
    const bool isFirst = m_width == 0;
    m_width = std::max(pixels, 1);
    if (isFirst) return;
    m_spanNs = std::max(kMinSpanNs, static_cast<int64_t>(scale * m_width));
}

void Viewport::setBounds(int64_t beginNs, int64_t endNs) {
    m_dataBeginNs = beginNs;
    m_dataEndNs = std::max(beginNs, endNs);
}

int64_t Viewport::timeAt(double x) const {
    return m_beginNs + static_cast<int64_t>(std::llround(x * nsPerPixel()));
}

void Viewport::setClamped(double beginNs, double spanNs) {
    const double dataSpanNs =
        std::max(static_cast<double>(m_dataEndNs - m_dataBeginNs), static_cast<double>(kMinSpanNs));
    const double span = std::clamp(spanNs, static_cast<double>(kMinSpanNs), dataSpanNs * kMaxSpan);
    const double middle =
        std::clamp(beginNs + span / 2, static_cast<double>(m_dataBeginNs), static_cast<double>(m_dataEndNs));
    m_spanNs = static_cast<int64_t>(std::llround(span));
    m_beginNs = static_cast<int64_t>(std::llround(middle - span / 2));
}

void Viewport::zoomAbout(double x, double factor) {
    const double dataSpanNs =
        std::max(static_cast<double>(m_dataEndNs - m_dataBeginNs), static_cast<double>(kMinSpanNs));
    const double oldSpan = static_cast<double>(m_spanNs);
    const double newSpan = std::clamp(oldSpan * factor, static_cast<double>(kMinSpanNs), dataSpanNs * kMaxSpan);
    const double fraction = x / width();
    setClamped(static_cast<double>(m_beginNs) + fraction * (oldSpan - newSpan), newSpan);
}

void Viewport::panBy(double pixels) {
    setClamped(static_cast<double>(m_beginNs) + pixels * nsPerPixel(), static_cast<double>(m_spanNs));
}

void Viewport::show(int64_t beginNs, int64_t endNs) {
    setClamped(static_cast<double>(beginNs), static_cast<double>(endNs - beginNs));
}

void Viewport::fit() {
    const double dataSpanNs = static_cast<double>(m_dataEndNs - m_dataBeginNs);
    setClamped(static_cast<double>(m_dataBeginNs) - 0.01 * dataSpanNs, dataSpanNs * 1.02);
}

void Viewport::growFrom(int64_t beginNs) {
    m_beginNs = std::max(m_beginNs, beginNs);
}

void Viewport::endAt(int64_t newestNs) {
    const double pixels = std::floor(static_cast<double>(newestNs - endNs()) / nsPerPixel());
    m_beginNs += static_cast<int64_t>(std::llround(pixels * nsPerPixel()));
}

} // namespace roundpipe::ui::timeline
