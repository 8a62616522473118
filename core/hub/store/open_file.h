// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is closed with the object.
#pragma once

#include <filesystem>

namespace roundpipe::hub {

class OpenFile {
public:
    // Read and written, made where there is none; throws kIo. `mode` is less what the user's mask takes away.
    OpenFile(const std::filesystem::path& path, unsigned mode);
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    int descriptor() const { return m_descriptor; }

private:
    int m_descriptor = -1;
};

} // namespace roundpipe::hub
