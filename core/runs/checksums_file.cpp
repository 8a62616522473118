// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/checksums_file.h"

#include "base/file.h"

#include <algorithm>
#include <system_error>

namespace roundpipe::runs {

std::set<std::string> filesOfExport(const std::filesystem::path& folder) {
    std::set<std::string> names;
    const std::filesystem::path file = folder / kChecksumsFile;
    if (std::error_code unseen; !std::filesystem::is_regular_file(file, unseen)) return names;
    const std::string list = readTextFile(file);
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find('\n', begin), list.size());
        constexpr std::size_t kBeforeName = 66; // 64 digits and two blanks
        if (end - begin > kBeforeName) names.insert(list.substr(begin + kBeforeName, end - begin - kBeforeName));
        begin = end + 1;
    }
    if (!names.empty()) names.insert(kChecksumsFile);
    return names;
}

} // namespace roundpipe::runs
