// SPDX-License-Identifier: GPL-3.0-or-later
// Files that grow by a line of JSON at a time, while others may read them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace roundpipe::runs {

// Of a file with a line for each step, answer or event: millions of them.
inline constexpr int64_t kMostOfLines = int64_t{1} << 30;

// `line` ends with a line feed. In one write where the disk takes all of it, on its way when the call returns: readers
// leave out a last line that has not ended. Makes the file. Throws kNoSpace or kIo.
void appendLine(const std::filesystem::path& file, std::string_view line);

// Calls `parse` with every line, in order; no-op where there is no file. A last line without a line feed is left out:
// somebody may be writing it. An exception of the JSON library becomes kInvalidInput naming file and line, and `what`
// it should be ("step"). Throws kIo.
void forEachLine(const std::filesystem::path& file, const std::string& what,
                 const std::function<void(std::string_view line)>& parse);

} // namespace roundpipe::runs
