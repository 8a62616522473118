// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/print_error.h"

#include <cstdio>

namespace roundpipe::cli {

void printError(const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.message().c_str());
    if (!error.advice().empty()) std::fprintf(stderr, "%s\n", error.advice().c_str());
}

} // namespace roundpipe::cli
