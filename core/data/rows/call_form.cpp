// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/call_form.h"

#include "data/in_part.h"
#include "data/rows/row_fields.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace roundpipe::data {
namespace {

constexpr const char* kArguments = "arguments";
constexpr const char* kArgumentNames[] = {kArguments, "parameters", "args", "input"};
constexpr std::string_view kOfForm[] = {"id", "type", "index", "function", "name", kArguments}; // index: of a stream

// One of the places where a call may say something.
struct Place {
    Json* object;
    std::string key, path;
};

Json withoutQuotes(const Json& value) {
    if (!value.is_string()) return value;
    Json inner = parseInner(value.get_ref<const std::string&>());
    return inner.is_structured() ? inner : value;
}

// The first of the places that says something moves to `to`, and those that say the same again are taken out.
void takeFirst(const std::vector<Place>& places, Json& to, const char* key, std::size_t number, bool areTrained) {
    const Place* first = nullptr;
    for (const Place& place : places) {
        const Json* said = field(*place.object, place.key.c_str());
        if (said == nullptr) continue;
        if (first == nullptr) {
            first = &place;
        } else if (withoutQuotes(*said) == withoutQuotes((*first->object)[first->key])) {
            place.object->erase(place.key);
        } else if (areTrained) {
            throw badRow(RowRemark::kMessageCallTwice, number, first->path, place.path);
        }
    }
    if (first == nullptr || (first->object == &to && first->key == key)) return;
    Json said = std::move((*first->object)[first->key]);
    first->object->erase(first->key);
    to[key] = std::move(said);
}

// Of the function's fields, and of those beside it.
void gather(Json& function, Json* call, std::size_t number, bool isTrained) {
    std::vector<Place> names, arguments;
    const auto addPlacesIn = [&](Json& object, const std::string& before) {
        names.push_back({&object, "name", before + "name"});
        for (const char* name : kArgumentNames)
            arguments.push_back({&object, name, before + name});
    };
    addPlacesIn(function, call == nullptr ? "" : "function.");
    if (call != nullptr) addPlacesIn(*call, "");
    takeFirst(names, function, "name", number, isTrained);
    takeFirst(arguments, function, kArguments, number, isTrained);
}

void bringIntoForm(Json& call, std::size_t number, bool isTrained) {
    Json function = std::exchange(call["function"], nullptr); // apart, as its place moves with the fields of the call
    if (function.is_string()) function = Json{{"name", Json(function)}};
    if (function.is_object()) {
        gather(function, &call, number, isTrained);
        call["function"] = std::move(function);
    } else if (function.is_null()) {
        call.erase("function");
        gather(call, nullptr, number, isTrained);
    } else {
        call["function"] = std::move(function); // has no name, for which calls that are trained are refused
    }
    if (!isTrained || field(functionOf(call), kArguments) != nullptr) return;
    if (const auto others = otherFieldsOf(call); !others.empty())
        throw badRow(RowRemark::kMessageCallNotUnderstood, number, inPartOnOneLine(others.front()));
}

void addOthers(const Json& object, const std::string& before, std::vector<std::string>& names) {
    for (const auto& [name, value] : object.items())
        if (!value.is_null() && std::ranges::find(kOfForm, name) == std::end(kOfForm)) names.push_back(before + name);
}

} // namespace

void bringCallsIntoForm(Json& calls, std::size_t number, bool areTrained) {
    for (Json& call : calls)
        bringIntoForm(call, number, areTrained);
}

std::vector<std::string> otherFieldsOf(const Json& call) {
    std::vector<std::string> names;
    addOthers(call, "", names);
    if (const Json& function = functionOf(call); &function != &call) addOthers(function, "function.", names);
    return names;
}

} // namespace roundpipe::data
