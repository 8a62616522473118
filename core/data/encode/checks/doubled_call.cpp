// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/doubled_call.h"

#include "data/rows/json/json_text.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace roundpipe::data {
namespace {

// Without the blanks between; of Qwen3-Coder, GLM, Claude's form, Kimi and gpt-oss, Mistral, Llama.
constexpr const char* kBeforeNames[] = {"<function=", "<tool_call>",  "<invokename=\"", "functions.",
                                        "to=",        "[TOOL_CALLS]", "<|python_tag|>"};

std::string withoutBlanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    return text;
}

bool contains(const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
}

bool isWrittenOut(const Json& call, const std::string& content) {
    const Json& function = functionOf(call);
    const auto name = function.find("name");
    if (name == function.end() || !name->is_string()) return false;
    const auto& said = name->get_ref<const std::string&>();
    if (said.empty()) return false;
    for (const char* before : kBeforeNames)
        if (contains(content, before + said)) return true;
    if (!contains(content, "\"name\":" + jsonText(*name))) return false;
    const auto arguments = function.find("arguments");
    if (arguments == function.end() || arguments->is_null()) return true;
    return contains(content, withoutBlanks(arguments->is_string() ? arguments->get_ref<const std::string&>()
                                                                  : jsonText(*arguments)));
}

} // namespace

bool writesOutItsCall(const Json& message) {
    const auto calls = message.find("tool_calls"), content = message.find("content");
    if (calls == message.end() || content == message.end() || !content->is_string() || *content == "") return false;
    const std::string said = withoutBlanks(content->get_ref<const std::string&>());
    return std::ranges::any_of(*calls, [&](const Json& call) { return isWrittenOut(call, said); });
}

} // namespace roundpipe::data
