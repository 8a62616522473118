// SPDX-License-Identifier: GPL-3.0-or-later
// What a line that could not be read probably meant.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace roundpipe::cli {

// The word that stands where a command should and is none; empty: another one is wrong.
std::string unknownCommand(const CLI::App& app);

// The word that an argument which names a file took although there is no such file, where a file is left over:
// `--max-steps 2 3 run.json`; else empty.
std::string leftOver(const CLI::App& app);

// Those that no option and no argument took, as they were typed.
std::string unexpectedWords(const CLI::App& app);

// The option that is there more than once and takes one value; else empty.
std::string givenTwice(const CLI::App& app);

// "Did you mean 'train'?" for a command or an option of which two letters or a third are mistyped, or one that stands
// before its command; else empty.
std::string typoAdvice(const CLI::App& app);

} // namespace roundpipe::cli
