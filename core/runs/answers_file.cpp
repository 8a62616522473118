// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/answers_file.h"

#include "runs/json_lines.h"
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::runs {

void appendAnswer(const SampleAnswer& answer, const std::filesystem::path& file) {
    nlohmann::ordered_json json;
    json["step"] = answer.step;
    json["tuned"] = answer.tuned;
    json["prompt"] = answer.prompt;
    json["text"] = answer.text;
    appendLine(file, json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::vector<SampleAnswer> readAnswers(const std::filesystem::path& file) {
    std::vector<SampleAnswer> all;
    forEachLine(file, "answer", [&](std::string_view line) {
        const nlohmann::json json = nlohmann::json::parse(line);
        all.push_back({wholeNumberAt(json, "step"), json.at("tuned").get<bool>(), json.at("prompt").get<std::string>(),
                       json.at("text").get<std::string>()});
    });
    return all;
}

std::vector<BeforeAndAfter> byPrompt(const std::vector<SampleAnswer>& answers) {
    std::vector<BeforeAndAfter> all;
    for (const SampleAnswer& answer : answers) {
        auto found = std::ranges::find(all, answer.prompt, &BeforeAndAfter::prompt);
        if (found == all.end()) found = all.insert(all.end(), {answer.prompt, {}, {}, 0});
        (answer.tuned ? found->after : found->before) = answer.text;
        if (answer.tuned) found->step = answer.step;
    }
    return all;
}

} // namespace roundpipe::runs
