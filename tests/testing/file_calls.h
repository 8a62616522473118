// SPDX-License-Identifier: GPL-3.0-or-later
// The moments between two steps of a program on a disk, without a clock: whoever adds file_calls.cpp to a test's
// sources sees its calls of the system that rename a file or ask where one is, as they are made, and may let them fail.
#pragma once

#include <functional>
#include <string>

namespace roundpipe::testing {

// Asked before a file or folder takes the name `to`, by any thread: 0, or the number of the error that it gets instead.
// It may rename on its own. Set while nothing else runs.
extern std::function<int(const std::string& from, const std::string& to)> g_onRename;
// Told after a link was read, by any thread.
extern std::function<void(const std::string& link)> g_onLinkRead;

} // namespace roundpipe::testing
