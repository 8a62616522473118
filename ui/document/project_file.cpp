// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/project_file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"
#include "session/spec/prompts_file.h"

namespace roundpipe::ui::document {

ReadProject readProject(const std::filesystem::path& runFile) {
    ReadProject read;
    read.project.spec = session::readRunSpec(runFile);
    try {
        read.project.prompts = session::readPrompts(runFile);
    } catch (const Error& error) {
        read.promptsProblem = error.message() + " " + error.advice();
    }
    return read;
}

void writeProject(const Project& project, const std::filesystem::path& runFile, bool writesPrompts) {
    try {
        std::filesystem::create_directories(runFile.parent_path());
    } catch (const std::filesystem::filesystem_error& error) {
        throw ioError("write", runFile, error.code().value());
    }
    session::writeRunSpec(project.spec, runFile);
    if (writesPrompts) session::writePrompts(project.prompts, runFile);
}

std::string textOnDisk(const std::filesystem::path& runFile) {
    try {
        return readTextFile(runFile);
    } catch (const Error&) {
        return {};
    }
}

std::filesystem::path placeOfOther(const std::filesystem::path& runFile) {
    return freshFile(runFile.parent_path(), runFile.stem().string() + ".other", ".json");
}

} // namespace roundpipe::ui::document
