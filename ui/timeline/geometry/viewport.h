// SPDX-License-Identifier: GPL-3.0-or-later
// The stretch of time on show, and how gestures move it. No Qt: tested as plain arithmetic.
#pragma once

#include <cstdint>

namespace roundpipe::ui::timeline {

// Times are nanoseconds as in trace records, positions are pixels from the left edge. The middle of the view never
// leaves the data, which lets every point of the data be zoomed into where it stands.
class Viewport {
public:
    static constexpr int64_t kMinSpanNs = 10'000; // what events resolve, about twenty times over

    // Keeps the left edge and the scale; the first time, the span.
    void setWidth(int pixels);
    void setBounds(int64_t beginNs, int64_t endNs);

    int width() const { return m_width > 0 ? m_width : 1; }
    int64_t beginNs() const { return m_beginNs; }
    int64_t endNs() const { return m_beginNs + m_spanNs; }
    int64_t spanNs() const { return m_spanNs; }
    double nsPerPixel() const { return static_cast<double>(m_spanNs) / width(); }
    double xAt(int64_t timeNs) const { return static_cast<double>(timeNs - m_beginNs) / nsPerPixel(); }
    int64_t timeAt(double x) const;

    // `factor` < 1 zooms in. The time at `x` stays there, as far as limits allow.
    void zoomAbout(double x, double factor);
    void panBy(double pixels); // positive: towards later times
    void show(int64_t beginNs, int64_t endNs);
    void fit();                     // all data, with a little air at both ends
    void growFrom(int64_t beginNs); // following data that does not fill the view yet: it grows from the left edge
    void endAt(int64_t newestNs);   // following live data: the right edge moves there in whole pixels

private:
    void setClamped(double beginNs, double spanNs);

    static constexpr double kMaxSpan = 1.1; // of the data: beyond there is nothing to see

    int m_width = 0; // 0: not known yet
    int64_t m_beginNs = 0;
    int64_t m_spanNs = 1'000'000'000;
    int64_t m_dataBeginNs = 0;
    int64_t m_dataEndNs = 0;
};

} // namespace roundpipe::ui::timeline
