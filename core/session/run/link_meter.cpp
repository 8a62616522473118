// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/link_meter.h"

#include <algorithm>

namespace roundpipe::session {
namespace {

constexpr int64_t kWindowNs = 1'000'000'000;

// Of the record's bytes, those that were moved in the window up to `nowNs`.
double bytesWithin(const trace::Record& record, int64_t nowNs) {
    const int64_t within = std::min(record.endNs, nowNs) - std::max(record.startNs, nowNs - kWindowNs);
    if (within <= 0) return 0;
    return static_cast<double>(record.bytes) * static_cast<double>(within) /
           static_cast<double>(record.endNs - record.startNs);
}

} // namespace

void LinkMeter::add(std::span<const trace::Record> records) {
    const std::scoped_lock lock(m_mutex);
    int64_t latestNs = 0;
    for (const trace::Record& record : records) {
        if (record.bytes > 0 && record.endNs > record.startNs) m_recent.push_back(record);
        latestNs = std::max(latestNs, record.endNs);
    }
    // Twice the window: who asks may be behind the records by a moment.
    while (!m_recent.empty() && m_recent.front().endNs < latestNs - 2 * kWindowNs)
        m_recent.pop_front();
}

LinkRates LinkMeter::rates(DeviceId device, int64_t nowNs) const {
    using trace::LaneRole;
    const auto isOn = [device](const trace::Record& record, LaneRole role) {
        return record.lane == trace::laneOf(device, role);
    };
    const std::scoped_lock lock(m_mutex);
    LinkRates rates; // bytes, in a window of one second
    for (const trace::Record& record : m_recent) {
        if (isOn(record, LaneRole::kWeightsUp) || isOn(record, LaneRole::kActivationsUp))
            rates.upBytesPerSecond += bytesWithin(record, nowNs);
        if (isOn(record, LaneRole::kActivationsDown) || isOn(record, LaneRole::kGradientsDown))
            rates.downBytesPerSecond += bytesWithin(record, nowNs);
    }
    return rates;
}

} // namespace roundpipe::session
