// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/store/chunk_file.h"

#include "base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace roundpipe::trace {

struct ChunkFile::Extent {
    std::byte* bytes = nullptr;
    ~Extent() {
        if (bytes != nullptr) ::munmap(bytes, kExtentBytes);
    }
};

ChunkFile::ChunkFile(const std::filesystem::path& folder) : m_folder(folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    m_descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (m_descriptor >= 0) return;
    std::string name = (folder / "slices-XXXXXX").string(); // where the file system knows no files without a name
    m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_descriptor < 0) throw ioError("write a temporary file in", folder, errno);
    ::unlink(name.c_str());
}

ChunkFile::~ChunkFile() {
    ::close(m_descriptor);
}

std::shared_ptr<const std::byte> ChunkFile::append(std::span<const std::byte> bytes) {
    RP_CHECK(bytes.size() <= kExtentBytes && bytes.size() % 4096 == 0);
    if (m_extent == nullptr || m_used + bytes.size() > kExtentBytes) {
        const int64_t begin = m_extentsBefore * static_cast<int64_t>(kExtentBytes);
        if (::ftruncate(m_descriptor, begin + static_cast<int64_t>(kExtentBytes)) != 0)
            throw ioError("write a temporary file in", m_folder, errno);
        auto extent = std::make_shared<Extent>();
        void* mapped = ::mmap(nullptr, kExtentBytes, PROT_READ, MAP_SHARED, m_descriptor, begin);
        if (mapped == MAP_FAILED) throw ioError("map a temporary file in", m_folder, errno);
        extent->bytes = static_cast<std::byte*>(mapped);
        m_extent = std::move(extent);
        ++m_extentsBefore;
        m_used = 0;
    }
    const int64_t offset = (m_extentsBefore - 1) * static_cast<int64_t>(kExtentBytes) + static_cast<int64_t>(m_used);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t put =
            ::pwrite(m_descriptor, bytes.data() + done, bytes.size() - done, offset + static_cast<int64_t>(done));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) throw ioError("write a temporary file in", m_folder, errno);
        done += static_cast<std::size_t>(put);
    }
    std::shared_ptr<const std::byte> place(m_extent, m_extent->bytes + m_used);
    m_used += bytes.size();
    return place;
}

bool fetched(std::span<const std::byte> bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> resident((bytes.size() + page - 1) / page);
    void* begin = const_cast<std::byte*>(bytes.data());
    if (::mincore(begin, bytes.size(), resident.data()) != 0) return true; // not known: read it
    if (std::ranges::all_of(resident, [](unsigned char in) { return (in & 1) != 0; })) return true;
    ::madvise(begin, bytes.size(), MADV_WILLNEED);
    return false;
}

} // namespace roundpipe::trace
