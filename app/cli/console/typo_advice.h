// SPDX-License-Identifier: GPL-3.0-or-later
// What a line that could not be read probably meant.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace roundpipe::cli {

// "Did you mean 'train'?" for a command or an option of which two letters or a third are mistyped; else empty.
std::string typoAdvice(const CLI::App& app);

} // namespace roundpipe::cli
