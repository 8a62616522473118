// SPDX-License-Identifier: GPL-3.0-or-later
// How far something long is, told to whoever waits for it.
#pragma once

#include <functional>

namespace roundpipe::trace {

// Hears shares from 0 to 1, on the thread that works; false from it ends the work, which then throws kCancelled.
using ProgressCallback = std::function<bool(double)>;

} // namespace roundpipe::trace
