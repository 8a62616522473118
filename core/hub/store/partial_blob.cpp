// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/store/partial_blob.h"

#include "base/error.h"

#include <cerrno>
#include <fmt/format.h>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace roundpipe::hub {

PartialBlob::PartialBlob(const RepositoryCache& cache, const HubFile& file, const std::stop_token& stop)
    : m_file(file)
    , m_path(cache.incomplete(file))
    , m_blob(cache.blob(file))
    , m_open(m_path, 0666)
    , m_digest(file.digestKind(), file.sizeBytes) {
    struct stat status {};
    ::fstat(m_open.descriptor(), &status);
    if (status.st_size > file.sizeBytes) {
        restart();
        return;
    }
    constexpr std::size_t kChunk = 1 << 20;
    std::vector<char> chunk(kChunk);
    while (m_sizeBytes < status.st_size && !stop.stop_requested()) {
        const ssize_t got = ::pread(m_open.descriptor(), chunk.data(), chunk.size(), m_sizeBytes);
        if (got <= 0) break; // goes on behind what can be read
        m_digest.add({chunk.data(), static_cast<std::size_t>(got)});
        m_sizeBytes += got;
    }
}

void PartialBlob::append(std::string_view bytes) {
    if (static_cast<int64_t>(bytes.size()) > m_file.sizeBytes - m_sizeBytes)
        throw invalidInput(
            fmt::format("More came of '{}' than the {} bytes that it has.", m_file.path, m_file.sizeBytes),
            "Fetch it again. If it happens again, see whether HF_ENDPOINT names a mirror of the Hub.");
    m_digest.add(bytes);
    while (!bytes.empty()) {
        const ssize_t put = ::pwrite(m_open.descriptor(), bytes.data(), bytes.size(), m_sizeBytes);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) throw ioError("write", m_path, errno);
        m_sizeBytes += put;
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

void PartialBlob::restart() {
    m_digest = Digest(m_file.digestKind(), m_file.sizeBytes);
    m_sizeBytes = 0;
    if (::ftruncate(m_open.descriptor(), 0) != 0) throw ioError("write", m_path, errno);
}

bool PartialBlob::finish() {
    RP_CHECK(isWhole());
    if (m_digest.hex() != m_file.blobName()) {
        restart();
        return false;
    }
    if (::fsync(m_open.descriptor()) != 0) throw ioError("write", m_path, errno);
    if (::rename(m_path.c_str(), m_blob.c_str()) != 0) throw ioError("write", m_blob, errno);
    return true;
}

} // namespace roundpipe::hub
