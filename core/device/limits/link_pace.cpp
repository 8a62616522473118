// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/limits/link_pace.h"

#include "base/units.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace roundpipe::device {

void LinkPace::waitFor(int64_t bytes, int64_t beganNs) {
    int64_t throughNs = 0;
    {
        const std::scoped_lock lock(m_mutex);
        const auto lastsNs = std::llround(1e9 * static_cast<double>(bytes) / m_bytesPerSecond);
        throughNs = m_freeNs = std::max(m_freeNs, beganNs) + lastsNs;
    }
    std::this_thread::sleep_for(std::chrono::nanoseconds(throughNs - steadyNowNs()));
}

} // namespace roundpipe::device
