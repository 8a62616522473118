// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/output_option.h"

#include "base/error.h"

#include <system_error>

namespace roundpipe::cli {

namespace {

std::string problemOfName(const std::string& given) {
    return given.empty() ? "names no file: it is empty." : "";
}

} // namespace

CLI::Option* addOutput(CLI::App& app, const std::string& name, std::string& path, const std::string& help) {
    return app.add_option(name, path, help)->check(problemOfName);
}

CLI::Option* addOutputFile(CLI::App& app, const std::string& name, Destination& file, const std::string& help) {
    if (app.get_option_no_throw("--force") == nullptr)
        app.add_flag("--force")->description("Replace a file that exists; without it, one is refused.");
    const auto take = [&app, &file](const std::string& given) { file = freePlace(app, given); };
    return app.add_option_function<std::string>(name, take, help)
        ->check(problemOfName)
        ->check([&app](const std::string& given) {
            const std::filesystem::path folder = std::filesystem::path(given).parent_path();
            if (!folder.empty() && !std::filesystem::is_directory(folder))
                return "'" + folder.string() + "' is no folder that is there.\nMake it, or choose another one.";
            try {
                freePlace(app, given);
                return std::string();
            } catch (const Error& error) {
                return error.message() + "\n" + error.advice();
            }
        });
}

Destination freePlace(const CLI::App& app, const std::filesystem::path& path) {
    requireReplaceable(path);
    if (app.count("--force") > 0) return path;
    std::error_code failed;
    if (std::filesystem::exists(path, failed))
        throw invalidInput("'" + path.string() + "' exists already.", "Name another file, or add --force.");
    return {path, FileStamp{}};
}

} // namespace roundpipe::cli
