// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/tool_calls.h"

#include "base/hash.h"
#include "data/in_part.h"
#include "data/rows/json/json_text.h"
#include "data/rows/row_fields.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace roundpipe::data {
namespace {

constexpr std::size_t kIdLength = 9;
constexpr std::string_view kIdCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool isShortId(const Json* id) {
    if (id == nullptr || !id->is_string()) return false;
    const auto& text = id->get_ref<const std::string&>();
    return text.size() == kIdLength && text.find_first_not_of(kIdCharacters) == std::string::npos;
}

std::string shortId(const Json& call, std::size_t number) { // `number`: of the call in its row
    uint64_t bits = mixed(hashName(jsonText(call)), number);
    std::string id;
    for (; id.size() < kIdLength; bits /= kIdCharacters.size())
        id += kIdCharacters[bits % kIdCharacters.size()];
    return id;
}

// What stands where a call has no arguments.
bool isNothing(const Json& arguments) {
    return arguments.is_null() || arguments == "null";
}

// A call that nobody has answered yet.
struct OpenCall {
    Json given; // its id in the row; null for none
    std::string id;
};

} // namespace

const Json& functionOf(const Json& call) {
    const auto function = call.find("function");
    return function != call.end() && function->is_object() ? *function : call;
}

Json& functionOf(Json& call) {
    return const_cast<Json&>(functionOf(std::as_const(call)));
}

Json* argumentsOf(Json& call) {
    Json& function = functionOf(call);
    const auto found = function.find("arguments");
    return found == function.end() ? nullptr : &*found;
}

Json* namedArgumentsOf(Json& call) {
    Json* arguments = argumentsOf(call);
    if (arguments == nullptr) return nullptr;
    const bool isStructured =
        arguments->is_structured() ||
        (arguments->is_string() && parseInner(arguments->get_ref<const std::string&>()).is_structured());
    return isStructured ? arguments : nullptr;
}

void checkCalls(const Json& calls, std::size_t number) {
    if (!calls.is_array()) throw badRow(RowRemark::kMessageCallsNoList, number);
    for (const Json& call : calls)
        if (!call.is_object()) throw badRow(RowRemark::kMessageCallNoObject, number);
}

void checkTrainedCalls(const Json& calls, std::size_t number) {
    for (const Json& call : calls) {
        const Json& function = functionOf(call);
        const Json* name = field(function, "name");
        if (name == nullptr || !name->is_string() || *name == "")
            throw badRow(RowRemark::kMessageCallWithoutName, number);
        const auto arguments = function.find("arguments");
        if (arguments == function.end() || isNothing(*arguments) || arguments->is_object()) continue;
        if (arguments->is_string()) {
            const auto& text = arguments->get_ref<const std::string&>();
            const Json parsed = parseInner(text);
            if (parsed.is_object()) continue;
            if (parsed.is_discarded())
                throw badRow(RowRemark::kMessageArgumentsNoJson, number, firstWrongIn(text).value_or(1));
        }
        throw badRow(RowRemark::kMessageArgumentsNoObject, number, inPartOnOneLine(jsonText(*arguments)));
    }
}

void fillArguments(Json& calls, bool asTexts) {
    for (Json& call : calls)
        if (Json& arguments = functionOf(call)["arguments"]; isNothing(arguments))
            arguments = asTexts ? Json("{}") : Json::object();
}

bool parseArguments(Json& calls) {
    bool found = false;
    for (Json& call : calls) {
        Json* arguments = argumentsOf(call);
        if (arguments == nullptr) continue;
        if (arguments->is_string())
            if (Json parsed = parseInner(arguments->get_ref<const std::string&>()); parsed.is_structured())
                *arguments = std::move(parsed);
        found = found || arguments->is_structured();
    }
    return found;
}

void writeArguments(Json& calls) {
    for (Json& call : calls)
        if (Json* arguments = argumentsOf(call); arguments != nullptr && arguments->is_structured())
            *arguments = spacedJsonText(*arguments);
}

bool completeCalls(Json& messages) {
    bool found = false;
    for (Json& message : messages) {
        const auto calls = message.find("tool_calls");
        if (calls == message.end()) continue;
        for (Json& call : *calls) {
            if (call.contains("function")) continue;
            Json wrapped = Json::object();
            if (const auto id = call.find("id"); id != call.end()) wrapped["id"] = std::move(*id);
            wrapped["type"] = "function";
            call.erase("id");
            call.erase("type");
            wrapped["function"] = std::move(call);
            call = std::move(wrapped);
            found = true;
        }
        if (field(message, "content") != nullptr) continue;
        message["content"] = "";
        found = true;
    }
    return found;
}

bool giveIds(Json& messages) {
    std::vector<OpenCall> open;
    std::size_t number = 0;
    bool found = false;
    const auto give = [&](Json& object, const char* key, const std::string& id) {
        const Json* given = field(object, key);
        if (given != nullptr && *given == id) return;
        object[key] = id;
        found = true;
    };
    for (Json& message : messages) {
        if (const auto calls = message.find("tool_calls"); calls != message.end()) {
            for (Json& call : *calls) {
                const Json* id = field(call, "id");
                const Json given = id == nullptr ? Json() : *id;
                open.push_back({given, isShortId(id) ? id->get<std::string>() : shortId(call, ++number)});
                give(call, "id", open.back().id);
            }
        } else if (message["role"] == "tool") {
            const Json* id = field(message, "tool_call_id");
            const auto answered = id == nullptr
                                      ? open.begin()
                                      : std::ranges::find(open, *id, [](const OpenCall& call) { return call.given; });
            if (answered == open.end()) continue;
            give(message, "tool_call_id", answered->id);
            open.erase(answered);
        }
    }
    return found;
}

Json callsOf(const std::string& value, std::size_t number) {
    Json calls = parseInner(value);
    if (calls.is_object()) calls = Json::array({std::move(calls)});
    if (!calls.is_array() || calls.empty())
        throw badRow(RowRemark::kMessageCallNoJson, number, firstWrongIn(value).value_or(1));
    Json result = Json::array();
    for (Json& call : calls) {
        const bool isWhole = call.is_object() && call.contains("function");
        if (!call.is_object() || (!isWhole && !call.contains("name")))
            throw badRow(RowRemark::kMessageCallWithoutName, number);
        result.push_back(isWhole ? std::move(call) : Json{{"type", "function"}, {"function", std::move(call)}});
    }
    return result;
}

} // namespace roundpipe::data
