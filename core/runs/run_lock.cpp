// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_lock.h"

#include "base/error.h"
#include "base/units.h"
#include "runs/run_files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::runs {

RunLock::RunLock(const std::filesystem::path& runFolder) {
    const std::filesystem::path path = RunFiles{runFolder}.lock();
    m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (m_descriptor < 0) throw ioError("write", path, errno);
    if (::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0) return;
    const int failed = errno;
    ::close(std::exchange(m_descriptor, -1));
    if (failed != EWOULDBLOCK) throw ioError("lock", path, failed);
    throw invalidInput("A run is under way in '" + runFolder.string() + "'.", "Wait for its end, or stop it.");
}

RunLock::RunLock(RunLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_beatNs(other.m_beatNs) {}

RunLock::~RunLock() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

void RunLock::beat() {
    const int64_t now = steadyNowNs();
    if (m_beatNs > 0 && now - m_beatNs < 1'000'000'000) return;
    m_beatNs = now;
    ::futimens(m_descriptor, nullptr);
}

int64_t RunLock::lastBeat(const std::filesystem::path& runFolder) {
    struct stat status {};
    return ::stat(RunFiles{runFolder}.lock().c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

bool RunLock::isHeld(const std::filesystem::path& runFolder) {
    const int descriptor = ::open(RunFiles{runFolder}.lock().c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return held;
}

} // namespace roundpipe::runs
