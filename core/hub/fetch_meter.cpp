// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/fetch_meter.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::hub {
namespace {

constexpr std::chrono::seconds kRateOver{10};
constexpr double kLeastSeconds = 0.5; // that a rate is told from

} // namespace

FetchMeter::FetchMeter(const std::string& repository) {
    m_progress.repository = repository;
}

void FetchMeter::begin(const std::vector<int64_t>& sizes, const std::vector<int64_t>& there) {
    const std::lock_guard lock(m_mutex);
    m_reached = there;
    m_progress.numFilesDone = 0;
    m_progress.numFiles = static_cast<int64_t>(sizes.size());
    m_progress.bytes = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
    m_progress.bytesDone = std::accumulate(there.begin(), there.end(), int64_t{0});
    m_readings.clear();
}

void FetchMeter::beganFile(const std::string& path) {
    const std::lock_guard lock(m_mutex);
    m_progress.file = path;
}

void FetchMeter::reached(std::size_t file, int64_t bytes) {
    const std::lock_guard lock(m_mutex);
    m_progress.bytesDone += bytes - m_reached[file];
    m_reached[file] = bytes;
}

void FetchMeter::endedFile() {
    const std::lock_guard lock(m_mutex);
    ++m_progress.numFilesDone;
}

void FetchMeter::waits(double seconds) {
    const std::lock_guard lock(m_mutex);
    m_progress.retryInSeconds = seconds;
}

session::HubProgress FetchMeter::progress() {
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    m_readings.push_back({now, m_progress.bytesDone});
    while (m_readings.size() > 2 && now - m_readings[1].time >= kRateOver)
        m_readings.pop_front();
    const double seconds = std::chrono::duration<double>(now - m_readings.front().time).count();
    const auto gained = static_cast<double>(m_progress.bytesDone - m_readings.front().bytes);
    m_progress.bytesPerSecond = seconds >= kLeastSeconds ? std::max(0.0, gained / seconds) : 0;
    m_progress.secondsLeft.reset();
    if (m_progress.bytesPerSecond > 0)
        m_progress.secondsLeft =
            static_cast<double>(m_progress.bytes - m_progress.bytesDone) / m_progress.bytesPerSecond;
    return m_progress;
}

} // namespace roundpipe::hub
