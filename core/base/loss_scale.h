// SPDX-License-Identifier: GPL-3.0-or-later
// Loss scaling of fp16 (Micikevicius et al., 2018): gradients are made larger by a power of two, so that those below
// fp16's smallest numbers (6e-8) are not lost on their way through the layers, and smaller again, exactly, before they
// are used.
#pragma once

#include <algorithm>
#include <cstdint>

namespace roundpipe {

struct LossScale {
    static constexpr int32_t kGoodSteps = 2000; // after so many in a row the scale is doubled

    double scale = 65536;     // of the next step: a power of two
    double before = 65536;    // as it was before the last step: what a step goes by that begins one step early
    int32_t goodSteps = 0;    // since the scale changed
    int64_t skippedSteps = 0; // of the run: they updated nothing
    bool operator==(const LossScale&) const = default;

    // After a step whose gradients were made larger by `used`. One that is not finite is skipped, and asks for half.
    void stepDone(double used, bool isFinite) {
        before = scale;
        if (!isFinite) {
            scale = std::min(scale, used / 2);
            goodSteps = 0;
            ++skippedSteps;
        } else if (++goodSteps == kGoodSteps) {
            scale *= 2;
            goodSteps = 0;
        }
    }
    // After one that updates nothing though no smaller scale would do.
    void stepSkipped() {
        before = scale;
        ++skippedSteps;
    }
};

} // namespace roundpipe
