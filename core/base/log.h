// SPDX-License-Identifier: GPL-3.0-or-later
// Lines for the person who looks for a fault: to standard error, and to the run folder's log while a run lasts.
// Thread-safe. Format the text with fmt in the .cpp; secrets and whole rows of data are never logged.
#pragma once

#include <filesystem>
#include <string_view>

namespace roundpipe::log {

enum class Level { kDebug, kInfo, kWarning, kError };

void setLevel(Level level);                       // of standard error; files get everything
void openFile(const std::filesystem::path& path); // appends to it from now on; throws kIo
void closeFile();

void debug(std::string_view text);
void info(std::string_view text);
void warning(std::string_view text);
void error(std::string_view text);

} // namespace roundpipe::log
