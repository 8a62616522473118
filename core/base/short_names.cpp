// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/short_names.h"

#include <algorithm>

namespace roundpipe {
namespace {

// The whole where there are not as many.
std::string lastNames(const std::string& path, std::size_t count) {
    std::size_t begin = path.size();
    for (; count > 0; --count) {
        begin = begin == 0 ? std::string::npos : path.rfind('/', begin - 1);
        if (begin == std::string::npos) return path;
    }
    return path.substr(begin + 1);
}

} // namespace

std::vector<std::string> shortNames(std::span<const std::string> paths) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        std::size_t count = 1;
        const auto isOfAnother = [&](const std::string& other) {
            return other != path && lastNames(other, count) == lastNames(path, count);
        };
        while (std::ranges::any_of(paths, isOfAnother))
            ++count;
        names.push_back(lastNames(path, count));
    }
    return names;
}

} // namespace roundpipe
