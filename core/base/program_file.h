// SPDX-License-Identifier: GPL-3.0-or-later
// Files that come with the program.
#pragma once

#include <filesystem>
#include <string>

namespace roundpipe {

// The folder that the running program lies in, links followed.
std::filesystem::path programFolder();

// A file of ours that is opened or started by name: beside the program (a build folder) or in ../libexec/roundpipe (an
// installation); empty: in neither.
std::filesystem::path programFile(const std::string& name);

} // namespace roundpipe
