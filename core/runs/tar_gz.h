// SPDX-License-Identifier: GPL-3.0-or-later
// Files of text and bytes as a .tar.gz, by the "ustar" format of POSIX.1-1988 and zlib.
#pragma once

#include "base/file.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace roundpipe::runs {

class TarGz {
public:
    // `time`: seconds since 1970, of all files in it.
    TarGz(std::filesystem::path folderInside, int64_t time);
    // Names of up to 100 bytes with the folder's.
    void add(const std::string& name, std::string_view content);
    // Writes it beside `target` and renames. Throws kIo, kNoSpace.
    void write(const Destination& target) const;

private:
    std::filesystem::path m_folder;
    int64_t m_time;
    std::string m_tar; // not compressed
};

} // namespace roundpipe::runs
