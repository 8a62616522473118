// SPDX-License-Identifier: GPL-3.0-or-later
// An error as a person reads it.
#pragma once

#include "base/error.h"

namespace roundpipe::cli {

void printError(const Error& error); // on standard error: what is wrong, and what to do on a line of its own

} // namespace roundpipe::cli
