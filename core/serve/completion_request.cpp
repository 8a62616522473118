// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/completion_request.h"

#include "base/error.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roundpipe::serve {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 64; // of lists and objects in each other
constexpr int64_t kMostRivals = 20;

Error wrongField(const std::string& field, const std::string& what) {
    return invalidInput("'" + field + "' " + what + ".");
}

// Null counts as absent, as in OpenAI's own.
const Json* find(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

// Empty where it is no text.
std::string textOf(const Json& object, const char* key) {
    const Json* value = object.is_object() ? find(object, key) : nullptr;
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool flag(const Json& object, const char* key) {
    const Json* value = find(object, key);
    if (value != nullptr && !value->is_boolean()) throw wrongField(key, "is neither true nor false");
    return value != nullptr && value->get<bool>();
}

int64_t wholeNumber(const Json& value, const std::string& key) {
    if (!value.is_number_integer()) throw wrongField(key, "is no whole number");
    return value.get<int64_t>();
}

Json parsed(const std::string& body) {
    const auto notTooDeep = [](int depth, Json::parse_event_t, Json&) {
        if (depth > kDeepest) throw invalidInput("The request's JSON is too deep.");
        return true;
    };
    try {
        Json request = Json::parse(body, notTooDeep);
        if (!request.is_object()) throw invalidInput("The request is no JSON object.");
        return request;
    } catch (const Json::exception& error) {
        throw invalidInput("The request is no JSON: " + wordsForJsonError(error.id, error.what(), body) + ".");
    }
}

// Fields of OpenAI, vLLM and llama.cpp that would change the answer, and with what value they do not.
struct NotDone {
    const char* key;
    Json off;
    const char* instead = "";
};
const std::vector<NotDone>& notDone() {
    static const std::vector<NotDone> fields = {
        {"n", 1, "; there is one answer"},
        {"best_of", 1, "; there is one answer"},
        {"presence_penalty", 0, "; 'repetition_penalty' is"},
        {"frequency_penalty", 0, "; 'repetition_penalty' is"},
        {"repeat_penalty", 1, "; 'repetition_penalty' is"},
        {"length_penalty", 1},
        {"typical_p", 1},
        {"mirostat", 0},
        {"min_tokens", 0},
        {"logit_bias", Json::object()},
        {"ignore_eos", false},
        {"use_beam_search", false},
        {"echo", false},
        {"continue_final_message", false},
        {"add_generation_prompt", true},
        {"stop_token_ids", Json::array()},
        {"allowed_token_ids", Json::array()},
        {"bad_words", Json::array()},
        {"tools", Json::array()},
        {"functions", Json::array()},
        {"modalities", {"text"}},
        {"prompt_logprobs", false},
        {"chat_template", "", "; the server has --chat-template"},
        {"guided_json", false},
        {"guided_regex", ""},
        {"guided_choice", Json::array()},
        {"guided_grammar", ""},
        {"structured_outputs", false},
        {"grammar", ""},
        {"json_schema", false},
        {"audio", false},
        {"web_search_options", false},
    };
    return fields;
}

void refuseWhatIsNotDone(const Json& request) {
    for (const NotDone& field : notDone()) {
        const Json* value = find(request, field.key);
        if (value == nullptr || *value == field.off) continue;
        throw wrongField(field.key, std::string("is not supported here") + field.instead);
    }
    for (const char* key : {"tool_choice", "function_call"})
        if (const Json* choice = find(request, key); choice != nullptr && *choice != "none" && *choice != "auto")
            throw wrongField(key, "is not supported here");
    if (const Json* format = find(request, "response_format"))
        if (textOf(*format, "type") != "text") throw wrongField("response_format", "is not text");
}

std::string contentOf(const Json& message, const std::string& where) {
    const Json* content = find(message, "content");
    if (content == nullptr) return {};
    if (content->is_string()) return content->get<std::string>();
    if (!content->is_array()) throw wrongField(where + ".content", "is no text");
    std::string text;
    for (const Json& part : *content) {
        if (textOf(part, "type") != "text" || !part.contains("text") || !part["text"].is_string())
            throw wrongField(where + ".content", "has a part that is no text");
        text += textOf(part, "text");
    }
    return text;
}

std::vector<session::ChatMessage> messagesOf(const Json& request) {
    const Json* list = find(request, "messages");
    if (list == nullptr || !list->is_array() || list->empty()) throw wrongField("messages", "is no list of messages");
    std::vector<session::ChatMessage> messages;
    for (const Json& message : *list) {
        const std::string where = "messages[" + std::to_string(messages.size()) + "]";
        const Json* role = message.is_object() ? find(message, "role") : nullptr;
        if (role == nullptr || !role->is_string()) throw wrongField(where, "has no role");
        if (const Json* calls = find(message, "tool_calls"); calls != nullptr && !calls->empty())
            throw wrongField(where + ".tool_calls", "is not supported here");
        std::string name = role->get<std::string>();
        if (name == "developer") name = "system";
        messages.push_back({std::move(name), contentOf(message, where)});
    }
    return messages;
}

std::vector<std::string> stopsOf(const Json& value) {
    std::vector<std::string> stops;
    const Json list = value.is_array() ? value : Json::array({value});
    for (const Json& stop : list) {
        if (!stop.is_string()) throw wrongField("stop", "is no text or list of texts");
        stops.push_back(stop.get<std::string>());
    }
    session::checkStops(stops);
    return stops;
}

session::SamplingOptions samplingOf(const Json& request, const session::SamplingOptions& defaults) {
    session::SamplingOptions sampling = defaults;
    for (const session::SamplingField& field : session::samplingFields()) {
        const std::string key = field.key;
        const Json* value = find(request, field.key);
        if (value == nullptr || key == "max_new_tokens") continue;
        if (key == "seed") { // of all 64 bits, as clients draw them
            sampling.seed = static_cast<uint64_t>(wholeNumber(*value, key));
            continue;
        }
        if (!value->is_number()) throw wrongField(key, "is no number");
        setSampling(sampling, field, value->get<double>(), key);
    }
    for (const char* key : {"max_tokens", "max_completion_tokens"})
        if (const Json* value = find(request, key)) {
            const int64_t wanted = wholeNumber(*value, key);
            if (wanted < 1) throw wrongField(key, "is below 1");
            sampling.maxNewTokens = std::min(wanted, defaults.maxNewTokens);
        }
    if (const Json* stop = find(request, "stop")) sampling.stops = stopsOf(*stop);
    return sampling;
}

} // namespace

CompletionRequest parseCompletion(const std::string& body, const session::SamplingOptions& defaults) {
    const Json request = parsed(body);
    refuseWhatIsNotDone(request);
    CompletionRequest result;
    const Json* model = find(request, "model");
    if (model == nullptr || !model->is_string()) throw wrongField("model", "is not named");
    result.model = model->get<std::string>();
    result.question.messages = messagesOf(request);
    result.question.sampling = samplingOf(request, defaults);
    result.namesSeed = find(request, "seed") != nullptr;
    result.streams = flag(request, "stream");
    if (const Json* options = find(request, "stream_options")) {
        if (!options->is_object()) throw wrongField("stream_options", "is no object");
        result.includesUsage = flag(*options, "include_usage");
    }
    result.wantsProbabilities = flag(request, "logprobs");
    const Json* rivals = find(request, "top_logprobs");
    const int64_t numRivals = rivals == nullptr ? 0 : wholeNumber(*rivals, "top_logprobs");
    if (numRivals < 0 || numRivals > kMostRivals) throw wrongField("top_logprobs", "is not between 0 and 20");
    if (numRivals > 0 && !result.wantsProbabilities) throw wrongField("top_logprobs", "needs 'logprobs'");
    if (result.wantsProbabilities) result.question.numLikeliest = numRivals;
    if (const Json* arguments = find(request, "chat_template_kwargs")) {
        if (!arguments->is_object()) throw wrongField("chat_template_kwargs", "is no object");
        result.question.chatTemplateArgs = arguments->dump();
    }
    return result;
}

} // namespace roundpipe::serve
