#include "ui/document/project_file.h"

#include "base/error.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::ui::document {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// As they are written; read beside the run file, too, where people put them by hand.
fs::path promptsFile(const fs::path& runFile) {
    return runFile.parent_path() / "data" / "prompts.json";
}

fs::path existingPromptsFile(const fs::path& runFile) {
    for (const fs::path& file : {promptsFile(runFile), runFile.parent_path() / "prompts.json"})
        if (std::error_code ignored; fs::exists(file, ignored)) return file;
    return {};
}

std::vector<std::string> readPrompts(const fs::path& file) {
    const Json json = Json::parse(readTextFile(file), nullptr, false);
    const auto isText = [](const Json& item) { return item.is_string(); };
    if (!json.is_array() || !std::ranges::all_of(json, isText))
        throw invalidInput("'" + file.string() + "' is not a JSON list of texts.",
                           "Write the prompts as [\"first prompt\", \"second prompt\"], or enter them anew.");
    return json.get<std::vector<std::string>>();
}

// What a person has written there by hand is not lost by saving other prompts.
void keepBrokenPrompts(const fs::path& file) {
    try {
        readPrompts(file);
    } catch (const Error&) {
        fs::rename(file, file.parent_path() / "prompts.broken.json");
    }
}

} // namespace

ReadProject readProject(const fs::path& runFile) {
    ReadProject read;
    read.project.spec = session::readRunSpec(runFile);
    try {
        if (const fs::path prompts = existingPromptsFile(runFile); !prompts.empty())
            read.project.prompts = readPrompts(prompts);
    } catch (const Error& error) {
        read.promptsProblem = error.message() + " " + error.advice();
    }
    return read;
}

void writeProject(const Project& project, const fs::path& runFile, bool writesPrompts) {
    try {
        fs::create_directories(runFile.parent_path());
        session::writeRunSpec(project.spec, runFile);
        if (!writesPrompts) return;
        const fs::path existing = existingPromptsFile(runFile);
        const fs::path file = existing.empty() ? promptsFile(runFile) : existing;
        fs::create_directories(file.parent_path());
        if (!existing.empty()) keepBrokenPrompts(existing);
        writeFileAtomically(file, Json(project.prompts).dump(2) + "\n");
    } catch (const fs::filesystem_error& error) {
        throw ioError("write", runFile, error.code().value());
    }
}

} // namespace roundpipe::ui::document
