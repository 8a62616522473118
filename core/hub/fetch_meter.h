// SPDX-License-Identifier: GPL-3.0-or-later
// How far a fetch has come, counted by the threads that fetch.
#pragma once

#include "session/hub.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace roundpipe::hub {

// All calls from any thread.
class FetchMeter {
public:
    explicit FetchMeter(const std::string& repository);

    // Which files there are, in bytes, and what of each is there already.
    void begin(const std::vector<int64_t>& sizes, const std::vector<int64_t>& there);
    void beganFile(const std::string& path);
    void reached(std::size_t file, int64_t bytes); // of it that are there now
    void endedFile();
    void waits(double seconds); // until a file or question is asked for again; 0: no longer

    session::HubProgress progress(); // now

private:
    using Clock = std::chrono::steady_clock;
    struct Reading {
        Clock::time_point time;
        int64_t bytes;
    };

    std::mutex m_mutex; // guards what follows
    session::HubProgress m_progress;
    std::vector<int64_t> m_reached;
    std::deque<Reading> m_readings; // of the last seconds
};

} // namespace roundpipe::hub
