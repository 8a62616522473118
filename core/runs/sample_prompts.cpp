// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/sample_prompts.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "runs/answers_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& file) {
    std::error_code unseen;
    return fs::exists(file, unseen);
}

std::vector<std::string> givenIn(const fs::path& file) {
    const std::string text = readTextFile(file);
    const bool isList = !isNestedDeeper(text, 1);
    const nlohmann::json json = isList ? nlohmann::json::parse(text, nullptr, false) : nlohmann::json();
    const auto isText = [](const nlohmann::json& item) { return item.is_string(); };
    if (!json.is_array() || !std::ranges::all_of(json, isText))
        throw invalidInput("'" + file.string() + "' is not a JSON list of texts.", "Remove it.");
    return json.get<std::vector<std::string>>();
}

} // namespace

void writeSamplePrompts(const std::vector<std::string>& prompts, const RunFiles& files) {
    using nlohmann::json;
    if (!prompts.empty()) {
        const std::string list = json(prompts).dump(2, ' ', false, json::error_handler_t::replace);
        writeFileAtomically(files.samplePrompts(), list + "\n");
        return;
    }
    std::error_code failed;
    fs::remove(files.samplePrompts(), failed);
    if (failed) throw ioError("remove", files.samplePrompts(), failed.value());
}

std::vector<std::string> samplePromptsOf(const RunFiles& files) {
    std::vector<std::string> prompts;
    if (isThere(files.samplePrompts())) prompts = givenIn(files.samplePrompts());
    if (!isThere(files.answers())) return prompts;
    for (const BeforeAndAfter& answer : byPrompt(readAnswers(files.answers())))
        if (std::ranges::find(prompts, answer.prompt) == prompts.end()) prompts.push_back(answer.prompt);
    return prompts;
}

} // namespace roundpipe::runs
