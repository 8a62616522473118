// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/format_advice.h"

#include "data/in_part.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kNamedColumns = 20;

const Json* columnOf(const Json& row, const char* name) {
    const auto found = row.find(name);
    return found == row.end() || found->is_null() ? nullptr : &*found;
}

std::string nameOfFirst(const Json& row, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (columnOf(row, name) != nullptr) return name;
    return {};
}

// With a user's turn: a conversation by itself.
bool isWholeChat(const Json& answer) {
    return answer.is_array() && answer.size() > 1;
}

// data.columns by which the chosen answers are learnt; empty where there is no prompt to them.
std::string columnsForChosen(const Json& row) {
    const Json& chosen = *columnOf(row, "chosen");
    if (isWholeChat(chosen)) return "messages=chosen";
    const std::string chat = nameOfFirst(row, {"prompt", "messages", "conversations", "conversation"});
    if (chosen.is_structured() && !chat.empty()) return fmt::format("prompt={},completion=chosen", chat);
    const std::string question = nameOfFirst(row, {"instruction", "question", "query", "problem", "prompt", "input"});
    if (chosen.is_string() && !question.empty()) return fmt::format("instruction={},output=chosen", question);
    return chosen.is_string() ? "text=chosen" : "";
}

} // namespace

std::string formatAdviceFor(const Json& row) {
    if (columnOf(row, "chosen") != nullptr && columnOf(row, "rejected") != nullptr) {
        const std::string columns = columnsForChosen(row);
        return "These are preferences ('chosen' and 'rejected'), which cannot be trained on yet." +
               (columns.empty() ? std::string()
                                : " To learn the chosen answers, say so: data.columns (--columns) " + columns + ".");
    }
    std::vector<std::string> keys;
    for (const auto& [key, value] : row.items()) {
        keys.push_back(keys.size() < kNamedColumns ? inPartOnOneLine(key) : "…");
        if (keys.size() > kNamedColumns) break;
    }
    return fmt::format(
        "It has the columns {}; wanted is 'messages' (OpenAI), 'conversations' (ShareGPT), 'instruction' "
        "and 'output' (Alpaca), 'prompt' and 'completion', 'text', or 'segments'. Name the columns with "
        "data.columns (--columns), for example instruction={},output={}.",
        fmt::join(keys, ", "), keys.empty() ? "question" : keys.front(), keys.size() < 2 ? "answer" : keys[1]);
}

} // namespace roundpipe::data
