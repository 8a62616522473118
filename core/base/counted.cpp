// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/counted.h"

namespace roundpipe {

std::string counted(int64_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

} // namespace roundpipe
