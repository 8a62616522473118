// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run's file of another program as one of ours, with a list of what it says that has no counterpart.
#pragma once

#include "session/foreign_run.h"

#include <filesystem>

namespace roundpipe::foreign {

using session::ForeignRun;
using session::NotTaken;

// What the file leaves out has that program's default. Paths are found from the file's folder on, or from one above
// it, as these programs are started in the folder of their checkout. Throws kInvalidInput for what is no YAML and for
// a file of none of these programs, kIo.
ForeignRun readForeignRun(const std::filesystem::path& path);

} // namespace roundpipe::foreign
