// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/prompts_file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::session {
namespace {

namespace fs = std::filesystem;

fs::path usualPromptsFile(const fs::path& runFile) {
    return runFile.parent_path() / "data" / "prompts.json";
}

fs::path existingPromptsFile(const fs::path& runFile) {
    for (const fs::path& file : {usualPromptsFile(runFile), runFile.parent_path() / "prompts.json"})
        if (std::error_code ignored; fs::exists(file, ignored)) return file;
    return {};
}

std::vector<std::string> promptsIn(const fs::path& file) {
    const std::string text = readTextFile(file);
    const bool isList = !isNestedDeeper(text, 1);
    const nlohmann::json json = isList ? nlohmann::json::parse(text, nullptr, false) : nlohmann::json();
    const auto isText = [](const nlohmann::json& item) { return item.is_string(); };
    if (!json.is_array() || !std::ranges::all_of(json, isText))
        throw invalidInput("'" + file.string() + "' is not a JSON list of texts.",
                           "Write the prompts as [\"first prompt\", \"second prompt\"], or enter them anew.");
    return json.get<std::vector<std::string>>();
}

// What a person has written there by hand is not lost by saving other prompts.
void keepBrokenPrompts(const fs::path& file) {
    try {
        promptsIn(file);
    } catch (const Error&) {
        fs::rename(file, freshFile(file.parent_path(), "prompts.broken", ".json"));
    }
}

} // namespace

std::vector<std::string> readPrompts(const fs::path& runFile) {
    const fs::path file = existingPromptsFile(runFile);
    return file.empty() ? std::vector<std::string>() : promptsIn(file);
}

void writePrompts(const std::vector<std::string>& prompts, const fs::path& runFile) {
    try {
        const fs::path existing = existingPromptsFile(runFile);
        const fs::path file = existing.empty() ? usualPromptsFile(runFile) : existing;
        fs::create_directories(file.parent_path());
        if (!existing.empty()) keepBrokenPrompts(existing);
        writeFileAtomically(file, nlohmann::json(prompts).dump(2) + "\n");
    } catch (const fs::filesystem_error& error) {
        throw ioError("write", runFile, error.code().value());
    }
}

} // namespace roundpipe::session
