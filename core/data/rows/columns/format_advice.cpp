// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/format_advice.h"

#include "data/in_part.h"
#include "data/rows/columns/row_format.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kNamedColumns = 20;

// What people call a question, an answer, and what stands beside a question, the more telling first: in English,
// German, French, Spanish and Chinese. Compared without regard to capitals of ASCII.
using Names = std::span<const char* const>;
constexpr const char* kQuestions[] = {"instruction", "question", "query",    "problem",     "prompt",      "anweisung",
                                      "frage",       "aufgabe",  "consigne", "instrucción", "instruccion", "pregunta",
                                      "指令",        "问题",     "提问",     "input",       "eingabe",     "entrée",
                                      "entree",      "entrada",  "输入"};
constexpr const char* kAnswers[] = {"output",   "answer", "response", "completion", "solution", "target",    "antwort",
                                    "ausgabe",  "lösung", "loesung",  "réponse",    "reponse",  "respuesta", "solución",
                                    "solucion", "salida", "sortie",   "回答",       "答案",     "回复",      "输出"};
constexpr const char* kInputs[] = {"input", "eingabe", "entrée", "entree", "entrada", "输入"};
// What stands beside a question and its answer, or beside a text, and is neither.
constexpr const char* kBeside[] = {"id",     "uid",       "uuid",   "key",           "index", "idx",
                                   "source", "url",       "path",   "filename",      "file",  "date",
                                   "time",   "timestamp", "split",  "lang",          "tags",  "language",
                                   "type",   "category",  "system", "system_prompt", "label", "license"};

bool isCalled(std::string_view column, std::string_view name) {
    return std::ranges::equal(column, name,
                              [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a + 32 == b); });
}

const Json* columnOf(const Json& row, const char* name) {
    const auto found = row.find(name);
    return found == row.end() || found->is_null() ? nullptr : &*found;
}

std::string nameOfFirst(const Json& row, Names names) {
    for (const char* name : names)
        if (columnOf(row, name) != nullptr) return name;
    return {};
}

// With a user's turn: a conversation by itself.
bool isWholeChat(const Json& answer) {
    return answer.is_array() && answer.size() > 1;
}

struct Preference {
    std::string chosen, rejected; // columns; empty: it is none
};

// "chosen" and "rejected", or names with one of them as a word: "response_chosen".
Preference preferenceIn(const Json& row) {
    const auto nameWith = [&](std::string_view word) -> std::string {
        const auto isWord = [&](const std::string& name, std::size_t at) {
            const std::size_t end = at + word.size();
            return (at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_');
        };
        for (const auto& [name, value] : row.items())
            if (const std::size_t at = name.find(word); at != std::string::npos && isWord(name, at) &&
                                                        !value.is_null() &&
                                                        (value.is_string() || value.is_structured()))
                return name;
        return {};
    };
    Preference found{nameWith("chosen"), nameWith("rejected")};
    return found.chosen.empty() || found.rejected.empty() ? Preference() : found;
}

// data.columns by which the chosen answers are learnt; empty where there is no prompt to them.
std::string columnsForChosen(const Json& row, const std::string& name) {
    const Json& chosen = row[name];
    if (isWholeChat(chosen)) return "messages=" + name;
    constexpr const char* kChats[] = {"prompt", "messages", "conversations", "conversation"};
    const std::string chat = nameOfFirst(row, kChats);
    if (chosen.is_structured() && !chat.empty()) return fmt::format("prompt={},completion={}", chat, name);
    const std::string question = nameOfFirst(row, kQuestions);
    if (chosen.is_string() && !question.empty()) return fmt::format("instruction={},output={}", question, name);
    return chosen.is_string() ? "text=" + name : "";
}

// A message of a chat, by the names that are read.
bool isMessage(const Json& row) {
    const auto hasOne = [&](std::initializer_list<const char*> names) {
        return std::ranges::any_of(names, [&](const char* name) { return row.contains(name); });
    };
    return hasOne({"role", "from", "speaker"}) && hasOne({"content", "value", "text"});
}

// A column of messages by names that are not read, and these names.
struct OddMessages {
    std::string column, fields; // empty: there is none
};

constexpr const char* kChats[] = {"messages", "conversations", "conversation", "dialog", "dialogue", "chat", "turns"};

OddMessages oddMessagesIn(const Json& row) {
    for (const auto& [name, list] : row.items()) {
        const auto isName = [&name = name](const char* chat) { return isCalled(name, chat); };
        if (!list.is_array() || list.empty() || std::ranges::none_of(kChats, isName)) continue;
        const Json& first = list.front();
        if (!first.is_object() || first.size() < 2 || isMessage(first))
            continue; // one alone names who speaks by itself
        std::string fields;
        for (const auto& [field, value] : first.items())
            fields += (fields.empty() ? "" : ", ") + inPartOnOneLine(field);
        return {name, inPart(fields)};
    }
    return {};
}

// The column of a chat whose turns are texts alone, and nothing stands beside it; empty: it is none.
std::string textsOfTurnsIn(const Json& row) {
    if (row.size() != 1) return {};
    for (const char* name : kChats) {
        const Json* list = columnOf(row, name);
        if (list != nullptr && list->is_array() && !list->empty() && std::ranges::all_of(*list, &Json::is_string))
            return name;
    }
    return {};
}

// A list of messages as str() writes it, and pandas into the cells of a table.
bool isOfPython(const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().starts_with("[{'");
}

// A table by the numbers of its rows, as pandas writes it with orient="index".
bool isByIndex(const Json& row) {
    const auto isNumber = [](const std::string& name) {
        return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    };
    for (const auto& [name, value] : row.items())
        if (!isNumber(name) || !value.is_object()) return false;
    return !row.empty();
}

// Objects of the same fields beside one another, which may be rows that have names.
bool mayHoldRowsByName(const Json& row) {
    const auto fieldsOf = [](const Json& value) {
        std::vector<std::string> fields;
        for (const auto& [name, item] : value.items())
            fields.push_back(name);
        return fields;
    };
    if (row.size() < 2 || !std::ranges::all_of(row, &Json::is_object)) return false;
    const std::vector<std::string> first = fieldsOf(row.front());
    return !first.empty() && std::ranges::all_of(row, [&](const Json& value) { return fieldsOf(value) == first; });
}

bool isWholeColumn(const Json& value) {
    if (value.is_array()) return !value.empty() && std::ranges::none_of(value, &Json::is_structured);
    return value.is_object() && value.contains("0") && !value["0"].is_structured();
}

// By --columns, whose list a comma would end, and which is read as it stands.
bool canBeNamed(const std::string& column) {
    return !column.empty() && column.find(',') == std::string::npos && column.front() != ' ' && column.back() != ' ' &&
           inPartOnOneLine(column) == column;
}

// As the object spells it; empty: it has no such text.
std::string textCalled(const Json& object, const char* name) {
    for (const auto& [column, value] : object.items())
        if (value.is_string() && isCalled(column, name)) return column;
    return {};
}

// Of a column, or of what a column holds: "extra_info.answer", "instances.0.output".
std::string pathOfText(const Json& row, Names names) {
    for (const char* name : names) {
        if (std::string whole = textCalled(row, name); !whole.empty()) return whole;
        for (const auto& [column, value] : row.items()) {
            const bool isList = value.is_array() && !value.empty() && value[0].is_object();
            if (!canBeNamed(column) || (!isList && !value.is_object())) continue;
            if (const std::string inner = textCalled(isList ? value[0] : value, name); !inner.empty())
                return fmt::format("{}.{}{}", column, isList ? "0." : "", inner);
        }
    }
    return {};
}

// The column that holds a chat with an answer in it; none where none does.
std::optional<session::ColumnChoice> columnOfChat(const Json& row) {
    for (const auto& [name, value] : row.items())
        if (canBeNamed(name) && value.is_array() && value.size() > 1 && isMessage(value[0]))
            return session::ColumnChoice{value[0].contains("role") ? "messages" : "conversations", name};
    return std::nullopt;
}

struct QuestionAndAnswer {
    std::string question, answer; // empty: not found
};

QuestionAndAnswer questionAndAnswer(const Json& row) {
    return {pathOfText(row, kQuestions), pathOfText(row, kAnswers)};
}

// Of which the row is the wrapping; empty: none.
std::string listOfRowsIn(const Json& row) {
    const auto [question, answer] = questionAndAnswer(row);
    const std::size_t end = question.find(".0.");
    if (end == std::string::npos || !answer.starts_with(question.substr(0, end + 3))) return {};
    return question.substr(0, end);
}

// As one word of a shell.
std::string quoted(const std::string& list) {
    if (list.find_first_of(" \"'$`\\!&;|<>()*?[]{}#~") == std::string::npos) return list;
    const char* mark = list.find_first_of("\"$`\\!") == std::string::npos ? "\"" : "'";
    return mark + list + mark;
}

// What --columns can be given so that the row has a format, as far as its columns tell.
std::string exampleFor(const Json& row, const RowFormat& wanted) {
    std::vector<std::string> entries;
    for (const auto& [field, column] : columnsThatMayBeMeant(row, wanted))
        entries.push_back(field + "=" + column);
    if (!entries.empty()) return quoted(fmt::format("{}", fmt::join(entries, ",")));
    return wanted.prompt.empty() ? "instruction=QUESTION,output=ANSWER with the names of yours"
                                 : "output=ANSWER with the name of yours";
}

// What one half of a pair still lacks: its field is mapped, the other half's is not.
std::string missingHalf(const Json& row, const std::vector<session::ColumnChoice>& named) {
    constexpr std::array<std::pair<const char*, const char*>, 4> kHalves = {
        {{"instruction", "output"}, {"output", "instruction"}, {"prompt", "completion"}, {"completion", "prompt"}}};
    const auto isNamed = [&](const char* field) {
        return columnOf(row, field) != nullptr ||
               std::ranges::find(named, field, &session::ColumnChoice::field) != named.end();
    };
    for (const auto& [half, other] : kHalves) {
        const auto found = std::ranges::find(named, half, &session::ColumnChoice::field);
        if (found != named.end() && !found->column.empty() && !isNamed(other)) return other;
    }
    return {};
}

std::string columnsOf(const Json& row) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : row.items()) {
        keys.push_back(keys.size() < kNamedColumns ? inPartOnOneLine(key) : "…");
        if (keys.size() > kNamedColumns) break;
    }
    return fmt::format("{}", fmt::join(keys, ", "));
}

// Where a prompt is filled in: the column that is called an answer, or the one text that the prompt does not have.
std::vector<session::ColumnChoice> answerBeside(const Json& row, const std::vector<session::PromptPiece>& prompt) {
    const auto isInPrompt = [&](const std::string& name) {
        return std::ranges::any_of(
            prompt, [&](const session::PromptPiece& piece) { return piece.isColumn && piece.text == name; });
    };
    if (const std::string answer = pathOfText(row, kAnswers); !answer.empty() && !isInPrompt(answer))
        return {{"output", answer}};
    std::vector<std::string> texts;
    for (const auto& [name, value] : row.items())
        if (value.is_string() && canBeNamed(name) && !isInPrompt(name)) texts.push_back(name);
    if (texts.size() != 1) return {};
    return {{"output", texts[0]}};
}

constexpr const char* kChatRow =
    R"({"messages": [{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]})";

} // namespace

std::vector<session::ColumnChoice> columnsThatMayBeMeant(const Json& row, const RowFormat& wanted) {
    if (isByIndex(row) || !oddMessagesIn(row).column.empty()) return {};
    if (!wanted.prompt.empty()) return answerBeside(row, wanted.prompt);
    if (const auto chat = columnOfChat(row)) return {*chat};
    const auto [question, answer] = questionAndAnswer(row);
    if (!question.empty() && !answer.empty()) {
        const std::string input = pathOfText(row, kInputs);
        if (input.empty() || input == question) return {{"instruction", question}, {"output", answer}};
        return {{"instruction", question}, {"input", input}, {"output", answer}};
    }
    const auto standsBeside = [](const std::string& name) {
        return std::ranges::any_of(kBeside, [&](const char* known) { return isCalled(name, known); });
    };
    std::vector<std::string> texts;
    for (const auto& [name, value] : row.items())
        if (value.is_string() && canBeNamed(name) && !standsBeside(name)) texts.push_back(name);
    const bool areAll = std::ranges::none_of(row, &Json::is_structured);
    if (areAll && texts.size() == 1) return {{"text", texts[0]}};
    if (areAll && texts.size() == 2) return {{"instruction", texts[0]}, {"output", texts[1]}};
    return {};
}

bool holdsWholeColumns(const Json& row) {
    const std::size_t numRows = row.empty() ? 0 : row.begin()->size();
    return numRows > 0 &&
           std::ranges::all_of(row, [&](const Json& value) { return isWholeColumn(value) && value.size() == numRows; });
}

std::string formatAdviceFor(const Json& row, const RowFormat& wanted) {
    const std::vector<session::ColumnChoice>& named = wanted.columns;
    for (const auto& [field, column] : named)
        if (!column.empty() && columnIn(row, column) == nullptr)
            return fmt::format("No column is called '{}' (data.columns: {}={}). It has the columns {}.", column, field,
                               column, columnsOf(row));
    if (const auto [chosen, rejected] = preferenceIn(row); !chosen.empty()) {
        const std::string columns = columnsForChosen(row, chosen);
        return fmt::format("These are preferences ('{}' and '{}'), which cannot be trained on yet.", chosen, rejected) +
               (columns.empty()
                    ? std::string()
                    : " To learn the chosen answers, say so: data.columns (--columns) " + quoted(columns) + ".");
    }
    if (const auto [column, fields] = oddMessagesIn(row); !column.empty())
        return fmt::format(
            "The messages of its '{}' have the fields {}, and none of them says who speaks by a name that we "
            "know and another one what is said. Call them 'role' and 'content': {}.",
            column, fields, kChatRow);
    if (isMessage(row))
        return fmt::format("It is a message of a chat. A row is a whole chat: {}.{}", kChatRow,
                           row.contains("text") ? " To train each as a text by itself, set data.format to 'text'."
                                                : "");
    for (const char* name : {"messages", "conversations"})
        if (row.contains(name) && isOfPython(row[name])) {
            return fmt::format("Its '{}' is a list as Python prints it, not JSON. Write the list by json.dumps, or the "
                               "rows by pandas' to_json(…, orient=\"records\", lines=True).",
                               name);
        } else if (row.contains(name)) {
            return fmt::format("Its '{}' is no list of messages, each with a role and a content: {}.", name, kChatRow);
        }
    if (row.contains("input_ids")) return "It holds tokens already; wanted are the texts that they were made of.";
    if (const std::string turns = textsOfTurnsIn(row); !turns.empty())
        return fmt::format("Its '{}' is a list of texts, and none says who speaks. A turn is a message with a role and "
                           "a content: {}.",
                           turns, kChatRow);
    if (holdsWholeColumns(row))
        return "It holds whole columns. Write it by rows; with pandas: to_json(…, orient=\"records\", lines=True).";
    if (isByIndex(row))
        return "It holds a whole table, row after row by their numbers. Write it by rows; with pandas: to_json(…, "
               "orient=\"records\", lines=True).";
    if (row.empty()) return "It has no columns.";
    if (const std::string missing = missingHalf(row, named); !missing.empty())
        return fmt::format("What is '{}' is still to be said (data.columns: {}=COLUMN). It has the columns {}.",
                           missing, missing, columnsOf(row));
    if (const std::string list = listOfRowsIn(row); !list.empty())
        return fmt::format("Its '{}' is a list of rows. Write them one on each line, or call the list 'data'.", list);
    return fmt::format(
        "It has the columns {}; wanted is 'messages' (OpenAI), 'conversations' (ShareGPT), 'instruction' "
        "and 'output' (Alpaca), 'prompt' and 'completion', 'text', or 'segments'. {}Name the columns with "
        "data.columns (--columns), for example {}.",
        columnsOf(row), mayHoldRowsByName(row) ? "Where each of them is a row, write them as a list. Else: " : "",
        exampleFor(row, wanted));
}

} // namespace roundpipe::data
