// SPDX-License-Identifier: GPL-3.0-or-later
// SHA256SUMS: the list by which an export's folder knows its own files.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace roundpipe::runs {

inline constexpr const char* kChecksumsFile = "SHA256SUMS"; // as sha256sum writes and checks it

// Names of the files that an export wrote there, the list among them; empty where none was, or one was interrupted.
// Throws kIo, and kInvalidInput for a list that is too long to be one.
std::set<std::string> filesOfExport(const std::filesystem::path& folder);

} // namespace roundpipe::runs
