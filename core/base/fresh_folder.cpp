// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fresh_folder.h"

#include <algorithm>
#include <system_error>

namespace roundpipe {
namespace {

constexpr std::size_t kMostOfName = 200; // and a number, an ending, and what is written beside it meanwhile

std::string fileNameOf(std::string name) {
    std::ranges::replace_if(
        name, [](unsigned char c) { return c < 32 || c == '/' || c == '\\' || c == ':'; }, '-');
    while (name.starts_with('.'))
        name.erase(0, 1);
    return name.empty() ? "unnamed" : firstOfName(name, kMostOfName);
}

} // namespace

std::string firstOfName(const std::string& name, std::size_t mostBytes) {
    if (name.size() <= mostBytes) return name;
    const auto isWithinCharacter = [&](std::size_t at) {
        return (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80;
    };
    std::size_t end = mostBytes;
    while (end > 0 && isWithinCharacter(end))
        --end;
    return name.substr(0, end);
}

std::filesystem::path freshFolder(const std::filesystem::path& parent, const std::string& name) {
    return freshFile(parent, name, {});
}

std::filesystem::path freshFile(const std::filesystem::path& parent, const std::string& name,
                                const std::string& ending) {
    const std::string wanted = fileNameOf(name);
    std::filesystem::path file = parent / (wanted + ending);
    std::error_code unseen; // a parent that may not be looked into: writing says why
    for (int number = 2; std::filesystem::exists(file, unseen); ++number)
        file = parent / (wanted + " " + std::to_string(number) + ending);
    return file;
}

} // namespace roundpipe
