// SPDX-License-Identifier: GPL-3.0-or-later
// How fast bytes go up and down each device's link just now, from the records of transfers.
#pragma once

#include "session/machine_status.h"
#include "trace/record.h"

#include <deque>
#include <mutex>
#include <span>

namespace roundpipe::session {

// Any thread.
class LinkMeter {
public:
    void add(std::span<const trace::Record> records); // in any order; those that move nothing are skipped
    // Over the second before `nowNs`. Of a transfer that reaches over its ends, the share within.
    LinkRates rates(DeviceId device, int64_t nowNs) const;

private:
    mutable std::mutex m_mutex;
    std::deque<trace::Record> m_recent; // as they came
};

} // namespace roundpipe::session
