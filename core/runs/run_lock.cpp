// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_lock.h"

#include "base/error.h"
#include "base/units.h"
#include "runs/run_files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::runs {
namespace {

// All of a file, for one descriptor and its copies alone (fcntl(2), open file description locks). Other than flock(2),
// that can be asked for without being taken: who only looks never keeps a run from beginning.
struct flock wholeFile() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

bool isSame(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

} // namespace

RunLock::RunLock(const std::filesystem::path& runFolder) {
    const std::filesystem::path path = RunFiles{runFolder}.lock();
    m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (m_descriptor < 0) throw ioError("write", path, errno);
    struct flock lock = wholeFile();
    if (::fcntl(m_descriptor, F_OFD_SETLK, &lock) == 0) {
        m_folder = ::open(runFolder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        return;
    }
    const int failed = errno;
    ::close(std::exchange(m_descriptor, -1));
    if (failed != EAGAIN && failed != EACCES) throw ioError("lock", path, failed);
    throw invalidInput("A run is under way in '" + runFolder.string() + "'.", "Wait for its end, or stop it.");
}

RunLock::RunLock(RunLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_folder(std::exchange(other.m_folder, -1))
    , m_beatNs(other.m_beatNs) {}

RunLock::~RunLock() {
    for (const int descriptor : {m_descriptor, m_folder})
        if (descriptor >= 0) ::close(descriptor);
}

bool RunLock::isAt(const std::filesystem::path& runFolder) const {
    struct stat ours {
    }, there{};
    if (::fstat(m_folder, &ours) != 0) return true;
    if (::stat(runFolder.c_str(), &there) != 0) return errno != ENOENT && errno != ENOTDIR;
    return isSame(ours, there);
}

std::filesystem::path RunLock::place() const {
    std::error_code failed;
    std::filesystem::path path =
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(m_folder), failed); // as proc(5) has it
    struct stat ours {
    }, there{};
    const bool isThere = !failed && ::fstat(m_folder, &ours) == 0 && ::stat(path.c_str(), &there) == 0;
    return isThere && isSame(ours, there) ? path : std::filesystem::path();
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
    struct flock lock = wholeFile();
    const bool held = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(descriptor);
    return held;
}

} // namespace roundpipe::runs
