// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/find_text.h"

#include <cstring>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kQuickBytes = 64;

} // namespace

std::size_t findText(std::string_view text, std::string_view what, std::size_t from) {
    if (from > text.size()) return std::string_view::npos;
    // memmem() prepares itself for a long text, and most are found where their beginning first stands.
    if (what.size() > kQuickBytes) {
        const std::size_t at = findText(text, what.substr(0, kQuickBytes), from);
        if (at == std::string_view::npos || text.substr(at).starts_with(what)) return at;
        from = at + 1;
    }
    const void* found = memmem(text.data() + from, text.size() - from, what.data(), what.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::unordered_set<std::string_view> textsOfSize(std::string_view text, std::string_view prefix, std::size_t size) {
    std::unordered_set<std::string_view> found;
    for (std::size_t at = findText(text, prefix); at != std::string_view::npos; at = findText(text, prefix, at + 1))
        if (at + size <= text.size()) found.insert(text.substr(at, size));
    return found;
}

std::string absentFrom(std::string_view text, std::string_view before, int digits) {
    const auto taken = textsOfSize(text, before, before.size() + static_cast<std::size_t>(digits));
    for (std::size_t number = 0;; ++number) // ends, as a text holds fewer than it has bytes
        if (std::string made = fmt::format("{}{:0{}}", before, number, digits); !taken.contains(made)) return made;
}

} // namespace roundpipe::data
