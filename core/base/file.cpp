// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "base/counted.h"

#include "base/error.h"
#include "base/file_draft.h"
#include "base/units.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
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
                            counted(static_cast<int64_t>(into.size() - done), "byte") + " too early.",
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

FileStamp stampOf(const fs::path& path) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) == 0) return stampOf(found);
    if (errno != ENOENT && errno != ENOTDIR) throw ioError("read", path, errno);
    return {};
}

void requireWritable(const fs::path& folder) {
    const FileDraft draft(folder / "writable");
}

FileStamp
writeFileAtomically(const Destination& to,
                    const std::function<void(const std::function<void(std::span<const std::byte>)>&)>& produce) {
    requireReplaceable(to.path);
    FileDraft draft(to.path);
    produce(Appender(draft.descriptor(), to.path));
    if (::fsync(draft.descriptor()) != 0) throw ioError("write", to.path, errno);
    const FileStamp written = draft.publish(to.only);
    flushFolder(parentOf(to.path));
    return written;
}

FileStamp writeFileAtomically(const Destination& to, std::string_view content) {
    return writeFileAtomically(to, [&](const auto& put) { put(std::as_bytes(std::span(content))); });
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

void replaceFolder(const fs::path& finished, const fs::path& target, const fs::path& old) {
    struct stat found {};
    if (::lstat(old.c_str(), &found) == 0) throw ioError("keep what is replaced as", old, EEXIST);
    if (::lstat(target.c_str(), &found) != 0) {
        if (::rename(finished.c_str(), target.c_str()) != 0) throw ioError("write", target, errno);
    } else if (::renameat2(AT_FDCWD, finished.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0) {
        renameOver(finished, target, old);
    } else if (const int failed = renameIntoFree(finished, old); failed != 0) { // the old one, in the new one's place
        throw ioError("keep", old, failed);
    }
    flushFolder(parentOf(target));
}

} // namespace roundpipe
