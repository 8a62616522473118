// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/coded_text.h"

#include <cstddef>

namespace roundpipe {

std::string withArguments(const char* words, const std::vector<std::string>& arguments) {
    std::string result;
    for (const char* c = words; *c != '\0'; ++c) {
        const auto place = static_cast<std::size_t>(c[1] - '1'); // of %1; huge where no digit follows
        if (*c == '%' && place < arguments.size()) {
            result += arguments[place];
            ++c;
        } else {
            result += *c;
        }
    }
    return result;
}

} // namespace roundpipe
