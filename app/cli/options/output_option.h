// SPDX-License-Identifier: GPL-3.0-or-later
// An option that names a file to be written.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace roundpipe::cli {

// Refuses an empty name, as an unset variable of a script leaves behind: nothing would be written, and nobody told.
// `path` must outlive `app`.
inline CLI::Option* addOutput(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    return app.add_option(name, path, help)->check([](const std::string& given) {
        return given.empty() ? std::string("names no file: it is empty.") : std::string();
    });
}

} // namespace roundpipe::cli
