// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/row_format.h"

#include "data/row_problem.h"
#include "data/rows/columns/format_advice.h"
#include "data/rows/json/json_text.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::data {
namespace {

bool has(const Json& row, const std::string& key) {
    const auto found = row.find(key);
    return found != row.end() && !found->is_null();
}

const Json* memberOf(const Json& value, const std::string& key) {
    if (value.is_object()) {
        const auto found = value.find(key);
        return found == value.end() ? nullptr : &*found;
    }
    std::size_t index = 0;
    const auto [end, failed] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool isIndex = failed == std::errc() && end == key.data() + key.size();
    return isIndex && value.is_array() && index < value.size() ? &value[index] : nullptr;
}

// The first of the names that the row has; empty: none.
std::string firstOf(const Json& row, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (has(row, name)) return name;
    return {};
}

// Which field the prompt of the settings becomes; null: rows of that format have none.
const char* promptField(DataFormat format) {
    switch (format) {
    case DataFormat::kAuto: // a question and its answer, unless the columns say otherwise
    case DataFormat::kAlpaca:
        return "instruction";
    case DataFormat::kCompletion:
        return "prompt";
    case DataFormat::kText:
        return "text";
    default:
        return nullptr;
    }
}

// Texts and numbers as they are, lists and objects as JSON, nothing where the row has no such column.
std::string filled(const std::vector<session::PromptPiece>& pieces, const Json& row) {
    std::string text;
    for (const session::PromptPiece& piece : pieces) {
        const Json* value = piece.isColumn ? columnIn(row, piece.text) : nullptr;
        if (!piece.isColumn) text += piece.text;
        if (value == nullptr || value->is_null()) continue;
        text += value->is_string() ? value->get_ref<const std::string&>() : jsonText(*value);
    }
    return text;
}

std::size_t textBytes(const Json& value) {
    return value.is_string() ? value.get_ref<const std::string&>().size() : 0;
}

class Sniffer {
public:
    // `mayGuess`: also by names that are no format's own.
    Sniffer(const Json& row, bool mayGuess) : m_row(row), m_mayGuess(mayGuess) {}

    SniffedFormat sniff() {
        if (!find()) m_found.format = {};
        return std::move(m_found);
    }

private:
    bool find() {
        if (has(m_row, "segments")) return found(DataFormat::kSegments, {{"segments", "segments"}});
        if (has(m_row, "chosen") && has(m_row, "rejected")) return false; // not to be trained on by mistake
        if (findTurns()) return true;
        const std::string answer = answerOf({"output", "response", "answer", "completion"});
        if (has(m_row, "instruction") && !answer.empty())
            return found(DataFormat::kAlpaca, {{"instruction", "instruction"}, {"output", answer}});
        const std::string completion = answerOf({"completion", "response", "answer", "output", "solution"});
        if (has(m_row, "prompt") && !completion.empty())
            return found(DataFormat::kCompletion, {{"prompt", "prompt"}, {"completion", completion}});
        const std::string question = firstOf(m_row, {"question", "query", "problem", "input"});
        const std::string solution = answerOf({"answer", "response", "output", "solution"});
        if (m_mayGuess && !question.empty() && !solution.empty()) { // `input` must not be read twice
            if (question == "input") m_found.format.columns.push_back({"input", ""});
            return found(DataFormat::kAlpaca, {{"instruction", question}, {"output", solution}});
        }
        if (!has(m_row, "text") || (m_mayGuess && isTextOfSomeone())) return false;
        return found(DataFormat::kText, {{"text", "text"}});
    }

    // A message that has a row for itself, as OpenAssistant's trees have them: no text that anybody wants by itself.
    bool isTextOfSomeone() const {
        constexpr const char* kRoles[] = {"user", "assistant", "system", "tool", "human", "gpt", "prompter", "bot"};
        const bool isText = m_row["text"].is_string() && has(m_row, "role") && m_row["role"].is_string();
        return isText && std::ranges::find(kRoles, m_row["role"].get_ref<const std::string&>()) != std::end(kRoles);
    }

    // The first of the names that the row has; where it tells a solution from its result, the longer of the two.
    std::string answerOf(std::initializer_list<const char*> names) {
        const std::string first = firstOf(m_row, names);
        if (first != "answer" && first != "solution") return first;
        const bool hasBoth = has(m_row, "answer") && has(m_row, "solution");
        if (!hasBoth) return first;
        return textBytes(m_row["solution"]) > textBytes(m_row["answer"]) ? "solution" : "answer";
    }

    bool findTurns() {
        for (const char* name : {"messages", "conversations", "conversation", "dialog", "chat"}) {
            if (!has(m_row, name)) continue;
            const Json& value = m_row[name];
            const Json turns = value.is_string() ? parseAny(value.get_ref<const std::string&>()) : value;
            const bool isList = turns.is_array() && (turns.empty() || turns[0].is_object());
            if (!isList) continue;
            const bool isShareGpt = turns.empty()
                                        ? name == std::string("conversations")
                                        : !has(turns[0], "role") && (has(turns[0], "from") || has(turns[0], "speaker"));
            if (isShareGpt) return found(DataFormat::kShareGpt, {{"conversations", name}});
            if (turns.empty() || turns[0].contains("role")) return found(DataFormat::kMessages, {{"messages", name}});
        }
        return false;
    }

    bool found(DataFormat kind, std::initializer_list<session::ColumnChoice> columns) {
        m_found.format.kind = kind;
        const bool hasText = std::ranges::none_of(
            columns, [&](const session::ColumnChoice& choice) { return m_row[choice.column].is_structured(); });
        const bool isPlain = kind == DataFormat::kText || (kind == DataFormat::kCompletion && hasText);
        const bool isChat = !isPlain && kind != DataFormat::kSegments;
        if (isChat && m_mayGuess && !has(m_row, "system") && has(m_row, "system_prompt"))
            m_found.format.columns.push_back({"system", "system_prompt"});
        std::vector<std::string> names;
        for (const session::ColumnChoice& mapping : columns) {
            names.push_back(mapping.column);
            if (mapping.field != mapping.column) m_found.format.columns.push_back(mapping);
        }
        m_found.reason = names.size() == 1 ? Remark(RowRemark::kHasColumn, names[0])
                                           : Remark(RowRemark::kHasColumns, names[0], names[1]);
        return true;
    }

    const Json& m_row;
    bool m_mayGuess;
    SniffedFormat m_found;
};

} // namespace

const Json* columnIn(const Json& row, const std::string& path) {
    if (const Json* whole = memberOf(row, path)) return whole; // a name may hold points itself
    const Json* value = &row;
    for (std::size_t begin = 0; value != nullptr && begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        value = memberOf(*value, path.substr(begin, end - begin));
        begin = end + 1;
    }
    return value;
}

Json withColumns(Json row, const std::vector<session::ColumnChoice>& columns) {
    if (columns.empty()) return row;
    std::vector<Json> values; // all are read before any is written: one column may go where another comes from
    for (const session::ColumnChoice& choice : columns) {
        const Json* value = columnIn(row, choice.column);
        values.push_back(value == nullptr ? Json(Json::value_t::discarded) : *value);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (values[i].is_discarded())
            row.erase(columns[i].field);
        else
            row[columns[i].field] = std::move(values[i]);
    }
    return row;
}

Json mappedRow(Json row, const RowFormat& format) {
    if (format.prompt.empty()) return withColumns(std::move(row), format.columns);
    const char* field = promptField(format.kind);
    if (field == nullptr) throw RowProblem(DropReason::kBadRow, Remark(RowRemark::kNoPromptToFill));
    std::string prompt = filled(format.prompt, row);
    row = withColumns(std::move(row), format.columns);
    row.erase("input"); // the template says what of it is wanted
    row[field] = std::move(prompt);
    return row;
}

SniffedFormat sniffFormat(const Json& row, const RowFormat& wanted) {
    const Json mapped = mappedRow(row, wanted);
    Json chosen = Json::object();
    for (const session::ColumnChoice& mapping : wanted.columns)
        if (mapped.contains(mapping.field)) chosen[mapping.field] = mapped[mapping.field];
    if (!wanted.prompt.empty()) chosen["instruction"] = mapped["instruction"];
    SniffedFormat result;
    if (!holdsWholeColumns(row)) {
        result = Sniffer(chosen, false).sniff();
        if (result.format.kind == DataFormat::kAuto) result = Sniffer(mapped, true).sniff();
    }
    if (result.format.kind == DataFormat::kAuto) {
        result.advice = formatAdviceFor(row, wanted);
        result.suggested = columnsThatMayBeMeant(row, wanted);
    }
    RowFormat format = wanted;
    format.kind = result.format.kind;
    // What the user mapped is read first; a guess never stands against it.
    const auto choiceFor = [&](const std::string& field) {
        return std::ranges::find(wanted.columns, field, &session::ColumnChoice::field);
    };
    for (session::ColumnChoice& guess : result.format.columns) {
        if (choiceFor(guess.field) != wanted.columns.end()) continue;
        const auto source = choiceFor(guess.column); // what looks like a column may be a field of another one
        if (source != wanted.columns.end()) guess.column = source->column;
        format.columns.push_back(std::move(guess));
    }
    result.format = std::move(format);
    return result;
}

} // namespace roundpipe::data
