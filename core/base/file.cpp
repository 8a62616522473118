// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include "base/error.h"
#include "base/units.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace roundpipe {
namespace fs = std::filesystem;

namespace {

// What stands at a path, by its stat's mode.
const char* kindOf(mode_t mode) {
    if (S_ISREG(mode)) return "a file";
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISLNK(mode)) return "a link";
    if (S_ISFIFO(mode)) return "a pipe";
    return S_ISSOCK(mode) ? "a socket" : "a device";
}

struct stat statusOf(int descriptor, const fs::path& path) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) throw ioError("read", path, errno);
    if (S_ISDIR(status.st_mode)) throw ioError("read", path, EISDIR);
    if (!S_ISREG(status.st_mode))
        throw invalidInput("'" + path.string() + "' is " + kindOf(status.st_mode) + ", not a file.",
                           "Files are read at any place and more than once: save what it gives to a file, and name "
                           "that.");
    return status;
}

} // namespace

// O_NONBLOCK: a pipe that nobody writes to would not open, and never be refused.
FileReader::FileReader(const fs::path& path)
    : m_path(path), m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (m_descriptor < 0) throw ioError("open", path, errno);
    try {
        m_sizeBytes = statusOf(m_descriptor, path).st_size;
    } catch (const Error&) {
        ::close(m_descriptor);
        throw;
    }
}

FileReader::~FileReader() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

FileReader::FileReader(FileReader&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_sizeBytes(other.m_sizeBytes) {}

FileReader& FileReader::operator=(FileReader&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_sizeBytes, other.m_sizeBytes);
    return *this;
}

void FileReader::readAt(int64_t offset, std::span<std::byte> into) const {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t got =
            ::pread(m_descriptor, into.data() + done, into.size() - done, offset + static_cast<int64_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw ioError("read", m_path, errno);
        if (got == 0)
            throw Error(ErrorKind::kIo,
                        "'" + m_path.string() + "' ends at byte " +
                            std::to_string(offset + static_cast<int64_t>(done)) + ", " +
                            std::to_string(into.size() - done) + " bytes too early.",
                        "The file is truncated; fetch it again.");
        done += static_cast<std::size_t>(got);
    }
}

void FileReader::expect(int64_t offset, int64_t bytes) const noexcept {
    ::posix_fadvise(m_descriptor, offset, bytes, POSIX_FADV_WILLNEED);
}

std::string readTextFile(const fs::path& path, int64_t maxBytes) {
    const FileReader file(path);
    if (file.sizeBytes() > maxBytes)
        throw invalidInput("'" + path.string() + "' has " + formatBytes(file.sizeBytes()) + ", and is to have " +
                               formatBytes(maxBytes) + " at most.",
                           "It was not read: it is another file than it should be, or damaged.");
    std::string text(static_cast<std::size_t>(file.sizeBytes()), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(text)));
    return text;
}

namespace {

void writeAll(int descriptor, std::span<const std::byte> bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) throw ioError("write", path, errno);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
}

void flushFolder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return; // some file systems refuse; the rename itself has succeeded
    ::fsync(descriptor);
    ::close(descriptor);
}

fs::path parentOf(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Writes a file's pieces, and has the disk begin with each few megabytes: else it would idle while a large file is
// made, and who made it would wait for all of it at the end.
class Appender {
public:
    Appender(int descriptor, const fs::path& path) : m_descriptor(descriptor), m_path(path) {}

    void operator()(std::span<const std::byte> bytes) {
        writeAll(m_descriptor, bytes, m_path);
        m_written += std::ssize(bytes);
        if (m_written - m_begun < kAtOnce) return;
        ::sync_file_range(m_descriptor, m_begun, m_written - m_begun, SYNC_FILE_RANGE_WRITE); // a hint: fsync() follows
        m_begun = m_written;
    }

private:
    static constexpr int64_t kAtOnce = 32 << 20;

    int m_descriptor;
    const fs::path& m_path;
    int64_t m_written = 0, m_begun = 0; // of it handed to the disk
};

} // namespace

void requireReplaceable(const fs::path& path) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return;
    throw invalidInput("'" + path.string() + "' is " + kindOf(found.st_mode) + ", and was left as it is.",
                       "Give the name of a file, new or to be replaced.");
}

namespace {

// Where what comes is not replaced.
class Promises {
public:
    void add(const fs::path& path) {
        const std::scoped_lock lock(m_mutex);
        m_paths.insert(keyOf(path));
    }
    void remove(const fs::path& path) {
        const std::scoped_lock lock(m_mutex);
        m_paths.erase(keyOf(path));
    }
    bool contains(const fs::path& path) const {
        const std::scoped_lock lock(m_mutex);
        return m_paths.contains(keyOf(path));
    }

private:
    static fs::path keyOf(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

    mutable std::mutex m_mutex;
    std::set<fs::path> m_paths;
};

Promises& promises() {
    static Promises all;
    return all;
}

// Where the file system can't refuse by itself, a moment is left in which something may come. 0, or errno's.
int renameIntoFree(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    struct stat found {};
    if (::lstat(to.c_str(), &found) == 0) return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// Throws as writeFileAtomically does, and leaves no draft then.
void publish(const fs::path& draft, const fs::path& path) {
    const bool isPromised = promises().contains(path);
    const int failed = isPromised                                   ? renameIntoFree(draft, path)
                       : ::rename(draft.c_str(), path.c_str()) == 0 ? 0
                                                                    : errno;
    if (failed == 0) return promises().remove(path);
    ::unlink(draft.c_str());
    if (isPromised && failed == EEXIST)
        throw invalidInput("'" + path.string() + "' exists already: it came while this was being made, and was left.",
                           "Move it, or name another file.");
    throw ioError("write", path, failed);
}

} // namespace

void neverReplace(const fs::path& path) {
    promises().add(path);
}

void writeFileAtomically(const fs::path& path,
                         const std::function<void(const std::function<void(std::span<const std::byte>)>&)>& produce) {
    requireReplaceable(path);
    const fs::path draft = path.string() + ".part";
    const int descriptor = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor < 0) throw ioError("write", draft, errno);
    int failed = 0;
    try {
        produce(Appender(descriptor, path));
        if (::fsync(descriptor) != 0) failed = errno;
    } catch (...) {
        ::close(descriptor);
        ::unlink(draft.c_str());
        throw;
    }
    if (::close(descriptor) != 0 && failed == 0) failed = errno;
    if (failed != 0) {
        ::unlink(draft.c_str());
        throw ioError("write", path, failed);
    }
    publish(draft, path);
    flushFolder(parentOf(path));
}

void writeFileAtomically(const fs::path& path, std::string_view content) {
    writeFileAtomically(path, [&](const auto& put) { put(std::as_bytes(std::span(content))); });
}

void flushToDisk(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw ioError("open", path, errno);
    const int failed = ::fsync(descriptor) != 0 ? errno : 0;
    ::close(descriptor);
    if (failed != 0) throw ioError("write", path, failed);
}

namespace {

// rename(2) cannot replace a folder that has files, and some file systems can't exchange two: there the old one steps
// aside first.
void renameOver(const fs::path& finished, const fs::path& target, const fs::path& old) {
    if (::rename(target.c_str(), old.c_str()) != 0) throw ioError("replace", target, errno);
    if (::rename(finished.c_str(), target.c_str()) == 0) return;
    const int failed = errno;
    ::rename(old.c_str(), target.c_str());
    throw ioError("replace", target, failed);
}

} // namespace

void replaceFolder(const fs::path& finished, const fs::path& target, const fs::path& keepOld) {
    // A name beside `finished`, which is the caller's own: what stands beside the target may be a person's.
    const fs::path old = keepOld.empty() ? fs::path(finished.string() + ".replaced") : keepOld;
    std::error_code ignored;
    if (keepOld.empty()) fs::remove_all(old, ignored); // what an interruption has left
    struct stat found {};
    if (::lstat(target.c_str(), &found) != 0) {
        if (::rename(finished.c_str(), target.c_str()) != 0) throw ioError("write", target, errno);
    } else if (::renameat2(AT_FDCWD, finished.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) {
        renameOver(finished, target, old);
    } else if (::rename(finished.c_str(), old.c_str()) != 0) { // the old one, which stands in the new one's place
        throw ioError("keep", old, errno);
    }
    flushFolder(parentOf(target));
    if (keepOld.empty()) fs::remove_all(old, ignored);
}

} // namespace roundpipe
