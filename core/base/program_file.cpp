// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/program_file.h"

#include <system_error>

namespace roundpipe {

namespace fs = std::filesystem;

fs::path programFolder() {
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

fs::path programFile(const std::string& name) {
    const fs::path folder = programFolder();
    std::error_code absent;
    for (const fs::path& place : {folder / name, folder.parent_path() / "libexec" / "roundpipe" / name})
        if (fs::exists(place, absent)) return place;
    return {};
}

} // namespace roundpipe
