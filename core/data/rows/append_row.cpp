// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/append_row.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roundpipe::data {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr off_t kLookedAt = 1 << 20; // of the first row

// A file that is open to append, and locked.
class AppendedFile {
public:
    explicit AppendedFile(const fs::path& path) : m_path(path) {
        m_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (m_descriptor < 0) throw ioError("open", path, errno);
        if (struct stat about{}; ::flock(m_descriptor, LOCK_EX) != 0 || ::fstat(m_descriptor, &about) != 0) {
            const int error = errno;
            ::close(m_descriptor);
            throw ioError("lock", path, error);
        } else {
            m_size = about.st_size;
        }
    }
    ~AppendedFile() { ::close(m_descriptor); }
    AppendedFile(const AppendedFile&) = delete;
    AppendedFile& operator=(const AppendedFile&) = delete;

    off_t size() const { return m_size; }

    std::string readAt(off_t offset, std::size_t count) const {
        std::string bytes(count, '\0');
        const ssize_t got = ::pread(m_descriptor, bytes.data(), count, offset);
        if (got < 0) throw ioError("read", m_path, errno);
        bytes.resize(static_cast<std::size_t>(got));
        return bytes;
    }

    void append(const std::string& bytes) {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t wrote = ::write(m_descriptor, bytes.data() + done, bytes.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote < 0) undo(errno);
            done += static_cast<std::size_t>(wrote);
        }
        if (::fsync(m_descriptor) != 0 && errno != EINVAL) undo(errno); // EINVAL: no file of a disk
    }

private:
    [[noreturn]] void undo(int error) {
        if (::ftruncate(m_descriptor, m_size) != 0) error = errno;
        throw ioError("write", m_path, error);
    }

    fs::path m_path;
    int m_descriptor = -1;
    off_t m_size = 0;
};

bool isRowOfMessages(const std::string& line) {
    const Json row = Json::parse(line, nullptr, false);
    return row.is_object() && row.contains("messages") && row["messages"].is_array();
}

} // namespace

void appendMessagesRow(const fs::path& file, std::span<const session::ChatMessage> messages) {
    if (file.extension() != ".jsonl")
        throw invalidInput("'" + file.string() + "' is no JSONL file by its name.",
                           "Rows are appended to files that end with .jsonl.");
    Json row;
    for (const session::ChatMessage& message : messages)
        row["messages"].push_back({{"role", message.role}, {"content", message.content}});
    std::string line = row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";

    AppendedFile appended(file);
    if (appended.size() > 0) {
        const std::string begin = appended.readAt(0, kLookedAt);
        const std::size_t end = begin.find('\n');
        if (end != std::string::npos && !isRowOfMessages(begin.substr(0, end)))
            throw invalidInput("'" + file.string() + "' has rows that are not written as messages.",
                               "Choose another file, or make one of messages from it by 'roundpipe data convert'.");
        if (appended.readAt(appended.size() - 1, 1) != "\n") line.insert(line.begin(), '\n');
    }
    appended.append(line);
}

} // namespace roundpipe::data
