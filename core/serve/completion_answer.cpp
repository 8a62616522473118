// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/completion_answer.h"

#include "base/counted.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::serve {
namespace {

using Json = nlohmann::ordered_json;

std::string written(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* reasonOf(session::AnswerEnd end) {
    return end == session::AnswerEnd::kLimit ? "length" : "stop";
}

Json tokenJson(const session::TokenText& token, double logProbability) {
    Json bytes = Json::array();
    for (const char byte : token.text)
        bytes.push_back(static_cast<unsigned char>(byte));
    return {{"token", token.text}, {"logprob", logProbability}, {"bytes", bytes}};
}

Json probabilitiesOf(std::span<const session::TokenChoice> tokens) {
    Json content = Json::array();
    for (const session::TokenChoice& choice : tokens) {
        Json token = tokenJson(choice.token, choice.logProbability);
        Json& rivals = token["top_logprobs"] = Json::array();
        for (const session::TokenChoice::Likely& rival : choice.likeliest)
            rivals.push_back(tokenJson(rival.token, rival.logProbability));
        content.push_back(std::move(token));
    }
    return {{"content", std::move(content)}};
}

Json usageOf(const session::ChatAnswer& answer) {
    return {{"prompt_tokens", answer.numPromptTokens},
            {"completion_tokens", answer.numTokens},
            {"total_tokens", answer.numPromptTokens + answer.numTokens},
            {"prompt_tokens_details", {{"cached_tokens", answer.numKeptTokens}}}};
}

Json headOf(const CompletionAbout& about, const char* object) {
    return {{"id", about.id}, {"object", object}, {"created", about.created}, {"model", about.model}};
}

Json pieceOf(const CompletionAbout& about, Json delta, Json probabilities, Json reason) {
    Json piece = headOf(about, "chat.completion.chunk");
    piece["choices"] = Json::array({{{"index", 0},
                                     {"delta", std::move(delta)},
                                     {"logprobs", std::move(probabilities)},
                                     {"finish_reason", std::move(reason)}}});
    return piece;
}

Json modelOf(const std::string& name, int64_t created) {
    return {{"id", name}, {"object", "model"}, {"created", created}, {"owned_by", "roundpipe"}};
}

} // namespace

std::string completionJson(const CompletionAbout& about, const session::ChatAnswer& answer) {
    Json json = headOf(about, "chat.completion");
    json["choices"] =
        Json::array({{{"index", 0},
                      {"message", {{"role", "assistant"}, {"content", answer.text}, {"refusal", nullptr}}},
                      {"logprobs", about.hasProbabilities ? probabilitiesOf(answer.tokens) : Json()},
                      {"finish_reason", reasonOf(answer.end)}}});
    json["usage"] = usageOf(answer);
    return written(json);
}

std::string firstPiece(const CompletionAbout& about) {
    return written(pieceOf(about, {{"role", "assistant"}, {"content", ""}}, nullptr, nullptr));
}

std::string textPiece(const CompletionAbout& about, const std::string& text,
                      std::span<const session::TokenChoice> tokens) {
    return written(
        pieceOf(about, {{"content", text}}, about.hasProbabilities ? probabilitiesOf(tokens) : Json(), nullptr));
}

std::string lastPiece(const CompletionAbout& about, session::AnswerEnd end) {
    return written(pieceOf(about, Json::object(), nullptr, reasonOf(end)));
}

std::string usagePiece(const CompletionAbout& about, const session::ChatAnswer& answer) {
    Json piece = headOf(about, "chat.completion.chunk");
    piece["choices"] = Json::array();
    piece["usage"] = usageOf(answer);
    return written(piece);
}

std::string logLineOf(const CompletionAbout& about, const session::ChatAnswer& answer) {
    return fmt::format("{} '{}': {} read, {} of them known; {} written; {:.2f} + {:.2f} s; {}", about.id, about.model,
                       counted(answer.numPromptTokens, "token"), answer.numKeptTokens, answer.numTokens,
                       answer.promptSeconds, answer.answerSeconds, spellingOf(answer.end));
}

std::string modelsJson(const std::vector<std::string>& names, int64_t created) {
    Json data = Json::array();
    for (const std::string& name : names)
        data.push_back(modelOf(name, created));
    return written({{"object", "list"}, {"data", std::move(data)}});
}

std::string modelJson(const std::string& name, int64_t created) {
    return written(modelOf(name, created));
}

std::string errorJson(int status, const std::string& message, const std::string& code) {
    const char* type = status == 401   ? "authentication_error"
                       : status == 429 ? "rate_limit_error"
                       : status >= 500 ? "server_error"
                                       : "invalid_request_error";
    return written(
        {{"error",
          {{"message", message}, {"type", type}, {"param", nullptr}, {"code", code.empty() ? Json() : Json(code)}}}});
}

int statusOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::kInvalidInput:
        return 400;
    case ErrorKind::kUnsupported:
        return 501;
    case ErrorKind::kCancelled:
        return 503;
    default:
        return 500;
    }
}

std::string sentencesOf(const Error& error) {
    return error.advice().empty() ? error.message() : error.message() + " " + error.advice();
}

} // namespace roundpipe::serve
