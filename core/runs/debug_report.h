// SPDX-License-Identifier: GPL-3.0-or-later
// What whoever looks for a fault needs of a run, in one file that can be passed on: no rows, no answers, no texts of
// the user's, no secrets (base/secrets.h), no weights, and his folder by the name of "~".
#pragma once

#include "base/file.h"

#include <filesystem>
#include <functional>

namespace roundpipe::runs {

// A .tar.gz of versions and machine, settings, status, journal, curves, the log's end, the trace's last minute and the
// newest rig file in `rigsFolder` (what was measured of this machine). What the run does not have is left out. Whole or
// not at all. `goOn` is asked now and then; false from it throws kCancelled. Throws kIo, kNoSpace, kInvalidInput.
void writeDebugReport(const std::filesystem::path& runFolder, const std::filesystem::path& rigsFolder,
                      const Destination& target, const std::function<bool()>& goOn = {});

} // namespace roundpipe::runs
