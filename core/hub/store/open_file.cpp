// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/store/open_file.h"

#include "base/error.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace roundpipe::hub {

OpenFile::OpenFile(const std::filesystem::path& path, unsigned mode)
    : m_descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode)) {
    if (m_descriptor < 0) throw ioError("write", path, errno);
}

OpenFile::~OpenFile() {
    ::close(m_descriptor);
}

} // namespace roundpipe::hub
