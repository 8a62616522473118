// SPDX-License-Identifier: GPL-3.0-or-later
// One direction of a CPU worker's link, made as slow as another one.
#pragma once

#include <cstdint>
#include <mutex>

namespace roundpipe::device {

// The streams of the direction share it: what they copy at once is as if one came after the other. Any thread.
class LinkPace {
public:
    explicit LinkPace(double bytesPerSecond) : m_bytesPerSecond(bytesPerSecond) {}

    // Returns when a copy that began at `beganNs` (steadyNowNs) would be through.
    void waitFor(int64_t bytes, int64_t beganNs);

private:
    double m_bytesPerSecond;
    std::mutex m_mutex;
    int64_t m_freeNs = 0; // from when on the link carries nothing
};

} // namespace roundpipe::device
