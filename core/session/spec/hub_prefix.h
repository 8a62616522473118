// SPDX-License-Identifier: GPL-3.0-or-later
// How a name of Hugging Face's Hub is told from a path, where either may stand.
#pragma once

#include <string_view>

namespace roundpipe::session {

inline constexpr std::string_view kHubPrefix = "hf:"; // "hf:Qwen/Qwen3-8B"

// What stands behind the Hub's host in the address of one of its pages, as people copy it from their browser:
// "Qwen/Qwen3-8B" of "https://huggingface.co/Qwen/Qwen3-8B". Empty where the text is no such address.
inline std::string_view hubPageIn(std::string_view text) {
    for (const std::string_view begin : {"https://huggingface.co/", "http://huggingface.co/",
                                         "https://www.huggingface.co/", "https://hf.co/", "http://hf.co/"})
        if (text.starts_with(begin)) return text.substr(begin.size());
    return {};
}

inline bool isHubName(std::string_view text) {
    return text.starts_with(kHubPrefix) || !hubPageIn(text).empty();
}

} // namespace roundpipe::session
