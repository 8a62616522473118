// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/output/folder_lock.h"

#include "base/error.h"
#include "base/log.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::artifact {

FolderLock::FolderLock(const std::filesystem::path& folder) {
    m_descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (m_descriptor < 0 && errno == ENOENT) return;
    if (m_descriptor < 0) throw ioError("open the folder", folder, errno);
    if (::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK) {
        log::warning("'" + folder.string() + "' can't be locked: " + std::strerror(errno));
        return;
    }
    ::close(std::exchange(m_descriptor, -1));
    throw invalidInput("Another export is being made in '" + folder.string() + "'.",
                       "Wait for its end, or give another folder.");
}

FolderLock::FolderLock(FolderLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

FolderLock::~FolderLock() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

bool FolderLock::is(const std::filesystem::path& folder) const {
    struct stat held {
    }, there{};
    return m_descriptor >= 0 && ::fstat(m_descriptor, &held) == 0 && ::lstat(folder.c_str(), &there) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

} // namespace roundpipe::artifact
