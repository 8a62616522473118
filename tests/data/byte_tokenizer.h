// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer of one token per byte, so that golden cases can be counted by hand.
#pragma once

#include "text/tokenizer.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::data {

// Ids 0..255 are bytes; 256 is "<|im_start|>", 257 is "<|im_end|>", then come `moreSpecial`, all special. Writes its
// files into `folder`.
text::Tokenizer makeByteTokenizer(const std::filesystem::path& folder,
                                  const std::vector<std::string>& moreSpecial = {});

inline constexpr int32_t kStartId = 256, kEndId = 257;
inline constexpr const char* kChatMl =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}";

} // namespace roundpipe::data
