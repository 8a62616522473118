// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/utf8.h"

#include "text/ffi.h"

namespace roundpipe::text {

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
    const std::size_t valid = rp_valid_utf8(borrow(text));
    if (valid == text.size()) return std::nullopt;
    return valid;
}

} // namespace roundpipe::text
