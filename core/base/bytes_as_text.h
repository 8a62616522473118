// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as UTF-8 and back: a path is bytes, and JSON holds text only.
#pragma once

#include <string>
#include <string_view>

namespace roundpipe {

// UTF-8 stays as it is. Of all else each byte b becomes the private character U+10FF00 + b (U+10FF80 to U+10FFFF); so
// do the bytes of these characters themselves, so that bytesOf(asText(x)) == x for all x.
std::string asText(std::string_view bytes);
std::string bytesOf(std::string_view text);

} // namespace roundpipe
