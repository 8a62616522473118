// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file_draft.h"

#include "base/error.h"
#include "base/fresh_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace roundpipe {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOurs = ".roundpipe-";
constexpr std::string_view kEnding = ".part";
constexpr std::size_t kDigits = 16;
constexpr std::size_t kMostOfDrafted = 200; // of 255 that a name may have

std::string draftedNameOf(const fs::path& target) {
    return firstOfName(target.filename().string(), kMostOfDrafted);
}

fs::path freshNameFor(const fs::path& target) {
    std::random_device random;
    std::string name = "." + draftedNameOf(target);
    name += kOurs;
    for (std::size_t i = 0; i < kDigits; ++i)
        name += "0123456789abcdef"[random() % 16];
    return parentOf(target) / (name += kEnding);
}

// Nobody else holds it, and now we do. Where the file system has no locks, nobody is kept out and nothing removed.
bool isLocked(int descriptor) {
    return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

bool isUnlinked(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && status.st_nlink == 0;
}

void removeIfLeft(const fs::path& draft) {
    const int descriptor = ::open(draft.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return;
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
        isLocked(descriptor))
        ::unlink(draft.c_str());
    ::close(descriptor);
}

void removeLeftDrafts(const fs::path& target) {
    const std::string name = draftedNameOf(target);
    std::error_code failed;
    for (fs::directory_iterator entry(parentOf(target), failed), end; !failed && entry != end; entry.increment(failed))
        if (nameOfDrafted(entry->path().filename().native()) == name) removeIfLeft(entry->path());
}

std::string procNameOf(int descriptor) {
    return "/proc/self/fd/" + std::to_string(descriptor);
}

FileStamp stampOf(int descriptor, const fs::path& path) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) throw ioError("write", path, errno);
    return roundpipe::stampOf(status);
}

} // namespace

fs::path parentOf(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

FileStamp stampOf(const struct stat& status) {
    return {status.st_dev, status.st_ino, status.st_size,
            int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::string_view nameOfDrafted(std::string_view name) {
    if (!name.starts_with('.') || !name.ends_with(kEnding)) return {};
    name = name.substr(1, name.size() - 1 - kEnding.size());
    if (name.size() <= kOurs.size() + kDigits) return {};
    const std::size_t end = name.size() - kOurs.size() - kDigits;
    const bool isOurs = name.substr(end).starts_with(kOurs) &&
                        name.find_first_not_of("0123456789abcdef", end + kOurs.size()) == std::string_view::npos;
    return isOurs ? name.substr(0, end) : std::string_view();
}

int renameIntoFree(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    struct stat found {};
    if (::lstat(to.c_str(), &found) == 0) return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

FileDraft::FileDraft(fs::path target) : m_target(std::move(target)) {
    removeLeftDrafts(m_target);
    if (!openUnnamed()) openNamed();
}

FileDraft::~FileDraft() {
    if (!m_path.empty()) ::unlink(m_path.c_str());
    ::close(m_descriptor);
}

bool FileDraft::openUnnamed() {
    m_descriptor = ::open(parentOf(m_target).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
    if (m_descriptor < 0) return false;
    if (::access(procNameOf(m_descriptor).c_str(), F_OK) != 0) { // by which it is given its name
        ::close(std::exchange(m_descriptor, -1));
        return false;
    }
    isLocked(m_descriptor);
    return true;
}

// Whoever cleans up may take it for one that was left until it is locked.
void FileDraft::openNamed() {
    do {
        if (m_descriptor >= 0) ::close(m_descriptor);
        m_path = freshNameFor(m_target);
        m_descriptor = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (m_descriptor < 0 && errno != EEXIST) throw ioError("write", m_target, errno);
    } while (m_descriptor < 0 || (!isLocked(m_descriptor) && errno == EWOULDBLOCK) || isUnlinked(m_descriptor));
}

void FileDraft::takeName() {
    const std::string from = procNameOf(m_descriptor);
    fs::path name = freshNameFor(m_target);
    while (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        if (errno != EEXIST) throw ioError("write", m_target, errno);
        name = freshNameFor(m_target);
    }
    m_path = name;
}

FileStamp FileDraft::publish(const std::optional<FileStamp>& only) {
    if (m_path.empty()) takeName();
    const int failed = putInPlace(only);
    if (failed == EEXIST && only)
        throw invalidInput("'" + m_target.string() +
                               (*only == FileStamp{} ? "' exists already: it came while this was being made"
                                                     : "' is another file than it was") +
                               ", and was left.",
                           "Move it, or name another file.");
    if (failed != 0) throw ioError("write", m_target, failed);
    m_path.clear();
    return stampOf(m_descriptor, m_target);
}

int FileDraft::putInPlace(const std::optional<FileStamp>& only) {
    if (!only) return ::rename(m_path.c_str(), m_target.c_str()) == 0 ? 0 : errno;
    const FileStamp there = roundpipe::stampOf(m_target);
    if (there == FileStamp{} && *only == there) return renameIntoFree(m_path, m_target);
    return there == *only ? exchange(*only) : EEXIST;
}

// Another one may have come since that was looked at: what is exchanged is still there, and goes back.
int FileDraft::exchange(const FileStamp& only) {
    const auto exchanged = [this] {
        return ::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, m_target.c_str(), RENAME_EXCHANGE) == 0;
    };
    if (!exchanged()) {
        if (errno == ENOENT) return EEXIST; // it has gone
        if (errno != EINVAL && errno != ENOSYS) return errno;
        return ::rename(m_path.c_str(), m_target.c_str()) == 0 ? 0 : errno;
    }
    if (roundpipe::stampOf(m_path) != only) {
        if (exchanged()) return EEXIST;
        const int failed = errno;
        m_path.clear(); // it is not ours, and stays beside
        return failed;
    }
    ::unlink(m_path.c_str());
    return 0;
}

} // namespace roundpipe
