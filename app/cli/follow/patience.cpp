// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/patience.h"

#include "base/units.h"
#include "runs/run_lock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <string>

namespace roundpipe::cli {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kLookNs = kSecondNs / 4;
constexpr int64_t kFirstSeconds = 8, kAgainSeconds = 60;

int64_t secondsStill(const FollowedRun& run) {
    return static_cast<int64_t>(std::time(nullptr)) - runs::RunLock::lastBeat(run.folder);
}

// As proc(5) has it: the state follows the name, which may hold anything but ends with the last bracket.
bool isStopped(int process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(')');
    return name != std::string::npos && name + 2 < line.size() && (line[name + 2] == 'T' || line[name + 2] == 't');
}

} // namespace

Error noAnswerOf(const FollowedRun& run) {
    std::string message = fmt::format("The run '{}' does not answer", run.name);
    if (const int64_t beat = runs::RunLock::lastBeat(run.folder); beat > 0)
        message +=
            fmt::format("; it last advanced at {:%H:%M:%S}, {} ago", fmt::localtime(static_cast<std::time_t>(beat)),
                        formatDuration(static_cast<double>(secondsStill(run))));
    const int process = run.process;
    if (isStopped(process))
        return {ErrorKind::kIo, fmt::format("{}: its process {} is stopped.", message, process),
                fmt::format("`kill -CONT {}` lets it go on.", process)};
    return {
        ErrorKind::kIo, message + ".",
        fmt::format("It may be in a long step or save, or hang: its log and its journal say how far it came. `kill -9 "
                    "{}` ends it at once, and `roundpipe train --continue` then goes on from its newest checkpoint.",
                    process)};
}

Standstill::Standstill() : m_begunNs(steadyNowNs()), m_nextNs(m_begunNs) {}

void Standstill::look(const FollowedRun& run, bool hasSpoken, Progress& progress) {
    const int64_t now = steadyNowNs();
    if (now < m_nextNs) return;
    m_nextNs = now + kLookNs;
    const bool isStill = isStopped(run.process) || (!hasSpoken && now - m_begunNs >= kFirstSeconds * kSecondNs);
    if (isStill && !m_isSaid) progress.standstill(noAnswerOf(run).what());
    m_isSaid = isStill;
}

Patience::Patience(int limitSeconds)
    : m_limitNs(limitSeconds * kSecondNs), m_begunNs(steadyNowNs()), m_nextNs(m_begunNs + kFirstSeconds * kSecondNs) {}

bool Patience::isOver() const {
    return m_limitNs > 0 && steadyNowNs() - m_begunNs >= m_limitNs;
}

void Patience::look(const FollowedRun& run, Progress& progress) {
    if (steadyNowNs() < m_nextNs || secondsStill(run) < kFirstSeconds) return;
    m_nextNs = steadyNowNs() + kAgainSeconds * kSecondNs;
    progress.standstill(noAnswerOf(run).what());
}

} // namespace roundpipe::cli
