// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/output_option.h"

#include "base/error.h"
#include "base/file.h"

#include <system_error>

namespace roundpipe::cli {

CLI::Option* addOutput(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    return app.add_option(name, path, help)->check([](const std::string& given) {
        return given.empty() ? std::string("names no file: it is empty.") : std::string();
    });
}

CLI::Option* addOutputFile(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    if (app.get_option_no_throw("--force") == nullptr)
        app.add_flag("--force")->description("Replace a file that exists; without it, one is refused.");
    return addOutput(app, name, path, help)->check([&app](const std::string& given) {
        const std::filesystem::path folder = std::filesystem::path(given).parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder))
            return "'" + folder.string() + "' is no folder that is there.\nMake it, or choose another one.";
        try {
            requireFree(app, given);
            return std::string();
        } catch (const Error& error) {
            return error.message() + "\n" + error.advice();
        }
    });
}

void requireFree(const CLI::App& app, const std::filesystem::path& path) {
    requireReplaceable(path);
    std::error_code failed;
    if (app.count("--force") > 0) return;
    if (std::filesystem::exists(path, failed))
        throw invalidInput("'" + path.string() + "' exists already.", "Name another file, or add --force.");
    neverReplace(path);
}

} // namespace roundpipe::cli
