// How a name of Hugging Face's Hub is told from a path, where either may stand.
#pragma once

#include <string_view>

namespace roundpipe::session {

inline constexpr std::string_view kHubPrefix = "hf:"; // "hf:Qwen/Qwen3-8B"
inline bool isHubName(std::string_view text) {
    return text.starts_with(kHubPrefix);
}

} // namespace roundpipe::session
