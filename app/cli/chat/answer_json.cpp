// SPDX-License-Identifier: GPL-3.0-or-later
#include "chat/answer_json.h"

#include "base/spelling.h"
#include "console/table.h"

#include <fmt/format.h>

#include <cmath>

namespace roundpipe::cli {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const session::TokenText& token) {
    return {{"id", token.id}, {"text", token.text}};
}

Json jsonOf(const session::TokenChoice& choice) {
    Json token = jsonOf(choice.token);
    token["probability"] = std::exp(choice.logProbability);
    token["log_probability"] = choice.logProbability;
    Json& likeliest = token["likeliest"] = Json::array();
    for (const session::TokenChoice::Likely& rival : choice.likeliest) {
        Json other = jsonOf(rival.token);
        other["probability"] = std::exp(rival.logProbability);
        likeliest.push_back(std::move(other));
    }
    return token;
}

// In quotes, with line feeds and the like as JSON writes them.
std::string quoted(const session::TokenText& token) {
    return Json(token.text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string percent(double logProbability) {
    return fmt::format("{:.1f} %", 100 * std::exp(logProbability));
}

} // namespace

Json answerJson(const session::ChatAnswer& answer) {
    Json json;
    json["answer"] = answer.text;
    json["end"] = spellingOf(answer.end);
    json["num_prompt_tokens"] = answer.numPromptTokens;
    json["num_kept_tokens"] = answer.numKeptTokens;
    json["num_tokens"] = answer.numTokens;
    json["prompt_seconds"] = answer.promptSeconds;
    json["answer_seconds"] = answer.answerSeconds;
    Json& prompt = json["prompt_tokens"] = Json::array();
    for (const session::TokenText& token : answer.prompt)
        prompt.push_back(jsonOf(token));
    Json& tokens = json["tokens"] = Json::array();
    for (const session::TokenChoice& token : answer.tokens)
        tokens.push_back(jsonOf(token));
    return json;
}

std::string tokenLines(const session::ChatAnswer& answer) {
    std::string text = fmt::format("Prompt, {} ({} of them read before):\n ", countOf(answer.numPromptTokens, "token"),
                                   answer.numKeptTokens);
    for (const session::TokenText& token : answer.prompt)
        text += fmt::format(" {}:{}", token.id, quoted(token));
    text += "\nAnswer:\n";
    using Align = Table::Align;
    Table table({{"token", Align::kLeft}, {"id"}, {"probability"}, {"the likeliest", Align::kLeft}});
    for (const session::TokenChoice& choice : answer.tokens) {
        std::string rivals;
        for (const session::TokenChoice::Likely& rival : choice.likeliest)
            rivals +=
                fmt::format("{}{} {}", rivals.empty() ? "" : ", ", quoted(rival.token), percent(rival.logProbability));
        table.addRow({quoted(choice.token), std::to_string(choice.token.id), percent(choice.logProbability), rivals});
    }
    return text + table.text();
}

std::string countOf(int64_t count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

} // namespace roundpipe::cli
