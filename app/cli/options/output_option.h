// SPDX-License-Identifier: GPL-3.0-or-later
// An option that names a file to be written.
#pragma once

#include "base/error.h"
#include "base/file.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

namespace roundpipe::cli {

// Refuses an empty name, as an unset variable of a script leaves behind: nothing would be written, and nobody told.
// `path` must outlive `app`.
inline CLI::Option* addOutput(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    return app.add_option(name, path, help)->check([](const std::string& given) {
        return given.empty() ? std::string("names no file: it is empty.") : std::string();
    });
}

// Of a file. What cannot be replaced is refused with the options, not after all of the work.
inline CLI::Option* addOutputFile(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    return addOutput(app, name, path, help)->check([](const std::string& given) {
        const std::filesystem::path folder = std::filesystem::path(given).parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder))
            return "'" + folder.string() + "' is no folder that is there.\nMake it, or choose another one.";
        try {
            requireReplaceable(given);
            return std::string();
        } catch (const Error& error) {
            return error.message() + "\n" + error.advice();
        }
    });
}

} // namespace roundpipe::cli
