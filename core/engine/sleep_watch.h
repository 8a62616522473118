// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the machine was suspended meanwhile: programs see it by a clock that goes on and one that does not.
#pragma once

#include <cstdint>

namespace roundpipe::engine {

class SleepWatch {
public:
    // Since the last call, how long it slept, in nanoseconds; less than a second counts for nothing. `awakeNs` stands
    // still while it sleeps (CLOCK_MONOTONIC), `allNs` does not (CLOCK_BOOTTIME); the first call begins.
    int64_t sleptNs(int64_t awakeNs, int64_t allNs) {
        const int64_t slept = m_began ? allNs - awakeNs - m_difference : 0;
        if (!m_began || slept >= kNoticeableNs) m_difference = allNs - awakeNs;
        m_began = true;
        return slept >= kNoticeableNs ? slept : 0;
    }

private:
    static constexpr int64_t kNoticeableNs = 1'000'000'000;
    bool m_began = false;
    int64_t m_difference = 0;
};

} // namespace roundpipe::engine
