// SPDX-License-Identifier: GPL-3.0-or-later
// Whether bytes are UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF), as Rust's standard library says.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace roundpipe::text {

// Where the first byte stands that no whole character starts with; nothing where all is UTF-8.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

} // namespace roundpipe::text
