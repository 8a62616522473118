// Validation of UTF-8 (Unicode 16, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace roundpipe::data {

// Position of the first byte that no valid sequence starts or continues with.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

} // namespace roundpipe::data
