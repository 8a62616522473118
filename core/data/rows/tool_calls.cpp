// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/tool_calls.h"

#include "data/rows/row_fields.h"

#include <utility>

namespace roundpipe::data {

void checkCalls(const Json& calls, std::size_t number) {
    if (!calls.is_array()) throw badRow(RowRemark::kMessageCallsNoList, number);
    for (const Json& call : calls)
        if (!call.is_object()) throw badRow(RowRemark::kMessageCallNoObject, number);
}

bool parseArguments(Json& calls) {
    bool found = false;
    for (Json& call : calls) {
        Json& function = call.contains("function") && call["function"].is_object() ? call["function"] : call;
        if (!function.contains("arguments") || !function["arguments"].is_string()) continue;
        Json parsed = parseInner(function["arguments"].get_ref<const std::string&>());
        if (!parsed.is_object()) continue;
        function["arguments"] = std::move(parsed);
        found = true;
    }
    return found;
}

bool fillContents(Json& messages) {
    bool found = false;
    for (Json& message : messages) {
        if (!message.contains("tool_calls") || field(message, "content") != nullptr) continue;
        message["content"] = "";
        found = true;
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
        if (!call.is_object() || !call.contains("name")) throw badRow(RowRemark::kMessageCallWithoutName, number);
        result.push_back({{"type", "function"}, {"function", std::move(call)}});
    }
    return result;
}

} // namespace roundpipe::data
