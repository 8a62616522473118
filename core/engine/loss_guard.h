// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run diverges: steps in a row whose loss or gradients are not finite, or whose loss is far above what was
// usual before them.
#pragma once

#include <cstdint>
#include <deque>

namespace roundpipe::engine {

class LossGuard {
public:
    static constexpr int32_t kInARow = 3; // one may be an odd row, three are none

    enum class Trouble {
        kNone,
        kNotFinite, // the kInARow-th in a row
        kSpike      // the kInARow-th in a row above all of the steps before and above twice their median
    };
    // Of the step that has just ended; each trouble is found once.
    Trouble add(double loss, bool isFinite);
    double usual() const { return m_usual; } // the median, of a spike
    bool hasSeenNumbers() const { return !m_before.empty() || !m_high.empty(); }
    void forget(); // what was usual for other weights

private:
    std::deque<double> m_before; // losses, the newest last
    std::deque<double> m_high;   // after them: in a row far above
    int32_t m_notFinite = 0;     // in a row
    double m_usual = 0;
};

} // namespace roundpipe::engine
