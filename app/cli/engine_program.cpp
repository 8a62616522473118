// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for all that runs the engine in the program that starts without it.
#include "engine_program.h"

#include "base/error.h"
#include "base/program_file.h"
#include "base/set_up_libraries.h"
#include "base/user_folders.h"
#include "commands.h"
#include "plan/engine_parts.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace roundpipe::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kProgram = "roundpipe-engine";

std::vector<std::string> ownArguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary); // each ends with a zero
    std::vector<std::string> arguments;
    for (std::string argument; std::getline(file, argument, '\0');)
        arguments.push_back(argument);
    return arguments;
}

// An installed engine knows no path to LibTorch, for each user has his own.
void leadToSetUpLibraries() {
    const fs::path libraries = setUpLibraries();
    std::error_code absent;
    if (libraries.empty() || !fs::exists(libraries / "torch/lib/libtorch_cpu.so", absent))
        throw unsupported(
            "The training engine is not set up: LibTorch is not in " + setUpFolder().string() + ".",
            "Run roundpipe-setup, which says what it will download and asks first. What its commands take is in "
            "their pages without it, too: man roundpipe-train.");
    std::string path;
    for (const char* folder : {"torch/lib", "nvidia/cu13/lib", "nvidia/cudnn/lib"})
        path += (path.empty() ? "" : ":") + (libraries / folder).string();
    if (const char* before = std::getenv("LD_LIBRARY_PATH"); before != nullptr && *before != '\0')
        path += std::string(":") + before;
    ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

// A command of which this program knows the name alone.
CommandBody handOver(CLI::App& app) {
    app.prefix_command();
    app.set_help_flag();
    return []() -> int { continueWithEngine(); };
}

} // namespace

void continueWithEngine() {
    const fs::path program = programFile(kProgram);
    if (program.empty())
        throw unsupported(std::string(kProgram) + " is not beside the program.",
                          "Build it with packaging/run, or install it again.");
    if (program.parent_path() != programFolder()) leadToSetUpLibraries();
    std::vector<std::string> arguments = ownArguments();
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    ::execv(program.c_str(), pointers.data());
    throw unsupported(program.string() + " cannot be started: " + std::strerror(errno) + ".", "Install it again.");
}

const EngineParts& engineParts() {
    continueWithEngine();
}

CommandBody addTrainCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addHostCommand(CLI::App& app) {
    app.group("");
    return handOver(app);
}
CommandBody addGenerateCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addExportCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addChatCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addServeCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addProfileCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addBenchCommand(CLI::App& app) {
    return handOver(app);
}
CommandBody addSelfTestCommand(CLI::App& app) {
    return handOver(app);
}

} // namespace roundpipe::cli
