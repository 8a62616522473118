// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_lock.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/units.h"
#include "runs/run_files.h"

#include <nlohmann/json.hpp>

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

enum class Found : uint8_t { kSame, kOther, kUnknown };

// Whether what is open is what lies at this path.
Found lookedUp(int descriptor, const std::filesystem::path& path) {
    struct stat open {
    }, there{};
    if (::fstat(descriptor, &open) != 0) return Found::kUnknown;
    if (::stat(path.c_str(), &there) != 0) return errno == ENOENT || errno == ENOTDIR ? Found::kOther : Found::kUnknown;
    return open.st_dev == there.st_dev && open.st_ino == there.st_ino ? Found::kSame : Found::kOther;
}

constexpr int64_t kMostOfNames = 1 << 16;

// Nothing where it is no list of names: an older version's lock is empty.
std::set<std::string> namesIn(const std::string& text) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("runs") || !json["runs"].is_array()) return {};
    std::set<std::string> names;
    for (const nlohmann::json& name : json["runs"])
        if (name.is_string()) names.insert(name.get<std::string>());
    return names;
}

bool isEmptied(int descriptor) {
    return ::ftruncate(descriptor, 0) == 0;
}

Error underWayIn(const std::filesystem::path& runFolder) {
    return invalidInput("A run is under way in '" + runFolder.string() + "'.", "Wait for its end, or stop it.");
}

} // namespace

void RunLock::requireUnheld(const std::filesystem::path& runFolder) {
    if (isHeld(runFolder)) throw underWayIn(runFolder);
}

RunLock::RunLock(const std::filesystem::path& runFolder) {
    const std::filesystem::path path = RunFiles{runFolder}.lock();
    while (m_descriptor < 0) {
        m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
        if (m_descriptor < 0) throw ioError("write", path, errno);
        struct flock lock = wholeFile();
        const int failed = ::fcntl(m_descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
        if (failed == 0 && lookedUp(m_descriptor, path) != Found::kOther) break;
        ::close(std::exchange(m_descriptor, -1)); // where it was locked: a run that was refused has just removed it
        if (failed != 0 && failed != EAGAIN && failed != EACCES) throw ioError("lock", path, failed);
        if (failed != 0) throw underWayIn(runFolder);
    }
    m_folder = ::open(runFolder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
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
    return lookedUp(m_folder, runFolder) != Found::kOther &&
           lookedUp(m_descriptor, RunFiles{runFolder}.lock()) != Found::kOther;
}

// Between the two looks it may be moved on, and is asked for again: taken for removed, it would be made anew at a place
// that it has left.
std::filesystem::path RunLock::place() const {
    constexpr int kLooks = 1000;
    for (int i = 0; i < kLooks && holdsLock(); ++i) {
        std::error_code failed;
        std::filesystem::path path =
            std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(m_folder), failed); // as proc(5) has it
        if (failed) break;
        if (lookedUp(m_folder, path) == Found::kSame) return path;
    }
    return {};
}

std::filesystem::path RunLock::held() const {
    std::filesystem::path path = "/proc/self/fd/" + std::to_string(m_folder);
    return lookedUp(m_folder, path) == Found::kSame ? path : std::filesystem::path();
}

// Wherever it is.
bool RunLock::holdsLock() const {
    struct stat folder {
    }, lock{}, there{};
    const std::string name = RunFiles{}.lock().filename();
    return ::fstat(m_folder, &folder) == 0 && folder.st_nlink > 0 && ::fstat(m_descriptor, &lock) == 0 &&
           ::fstatat(m_folder, name.c_str(), &there, 0) == 0 && lock.st_dev == there.st_dev &&
           lock.st_ino == there.st_ino;
}

bool RunLock::isLostAt(const std::filesystem::path& runFolder) const {
    std::error_code failed;
    return lookedUp(m_folder, runFolder) == Found::kSame &&
           !std::filesystem::exists(RunFiles{runFolder}.lock(), failed) && !failed;
}

void RunLock::writeRuns(const std::set<std::string>& names) {
    std::string before(kMostOfNames, '\0');
    const ssize_t size = ::pread(m_descriptor, before.data(), before.size(), 0);
    before.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    if (size < 0 || (size > 0 && namesIn(before).empty())) return;
    const std::string text =
        nlohmann::json{{"runs", names}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (text == before || !isEmptied(m_descriptor)) return;
    const ssize_t put = ::pwrite(m_descriptor, text.data(), text.size(), 0);
    const bool isWritten = put == std::ssize(text) && ::fsync(m_descriptor) == 0;
    if (!isWritten && isEmptied(m_descriptor)) log::warning("The run's lock does not say whose folder it is.");
}

std::set<std::string> RunLock::runsOf(const std::filesystem::path& runFolder) {
    const std::filesystem::path file = RunFiles{runFolder}.lock();
    std::error_code none;
    try {
        if (!std::filesystem::is_regular_file(file, none)) return {};
        return namesIn(readTextFile(file, kMostOfNames));
    } catch (const Error&) { // it is no lock of a run's, or may not be read
        return {};
    }
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
    const int descriptor =
        ::open(RunFiles{runFolder}.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // no pipe is waited for
    if (descriptor < 0) return false;
    struct flock lock = wholeFile();
    const bool held = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(descriptor);
    return held;
}

} // namespace roundpipe::runs
