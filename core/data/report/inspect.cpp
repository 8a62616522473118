// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/inspect.h"

#include "base/error.h"
#include "base/file.h"
#include "data/in_part.h"
#include "data/rows/answer_tags.h"
#include "data/rows/call_form.h"
#include "data/rows/columns/row_format.h"
#include "data/rows/columns/row_stream.h"
#include "data/rows/conversation.h"
#include "data/rows/json/json_text.h"
#include "data/rows/json/long_number.h"
#include "data/rows/message_list.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

std::string typeOf(const Json& value) {
    const auto name = [](const Json& one) { return isNumber(one) ? "number" : one.type_name(); };
    if (value.is_array()) return value.empty() ? "list" : fmt::format("list of {}s", name(value[0]));
    if (isNumber(value)) return value.is_number_float() ? "number" : "whole number";
    return value.type_name();
}

// The value with as much of its texts and lists as `room` has bytes for; all of it where it is no longer.
Json inShort(const Json& value, std::size_t& room) {
    const auto use = [&](std::size_t bytes) { room -= std::min(room, bytes); };
    if (value.is_string()) {
        const std::string shown = inPart(value.get_ref<const std::string&>(), room);
        use(shown.size() + 2);
        return shown;
    }
    if (!value.is_structured()) {
        use(1);
        return value;
    }
    Json shown = value.is_array() ? Json::array() : Json::object();
    use(1);
    for (const auto& [name, item] : value.items()) {
        const bool isFull = room == 0;
        const std::string key = isFull ? "…" : inPart(name, room);
        if (value.is_object()) use(name.size() + 4);
        Json part = isFull ? Json("…") : inShort(item, room);
        if (value.is_array())
            shown.push_back(std::move(part));
        else
            shown[key] = std::move(part);
        if (isFull) break;
    }
    return shown;
}

std::string jsonInShort(const Json& value, std::size_t room) {
    return jsonText(inShort(value, room));
}

void note(const Json& row, std::vector<ColumnReport>& columns) {
    for (const auto& [name, value] : row.items()) {
        auto column = std::ranges::find(columns, name, &ColumnReport::name);
        if (column == columns.end()) column = columns.insert(column, ColumnReport{name, 0, {}, false, {}});
        if (value.is_null()) continue;
        ++column->numRows;
        if (const std::string type = typeOf(value); std::ranges::find(column->types, type) == column->types.end())
            column->types.push_back(type);
        if (column->example.empty()) column->example = inPart(jsonInShort(value, kQuotedBytes));
    }
}

// Nothing of plain text; throws RowProblem where it can be neither that nor a chat.
std::optional<Conversation> chatIn(const Json& mapped, const RowFormat& format) {
    if (plainTextOf(mapped, format)) return std::nullopt;
    return conversationOf(mapped, format);
}

bool isWithin(const std::string& path, const std::string& column) {
    return path == column || path.starts_with(column + '.');
}

// That the prompt of the settings stands for.
bool isFieldOfPrompt(const std::string& field) {
    return field == "instruction" || field == "input" || field == "prompt" || field == "text";
}

// As conversationOf() and plainTextOf() read rows. `tagsRead`: fields that said what is to be learnt.
bool isRead(const std::string& column, const RowFormat& format, bool hasPlainText,
            const std::set<std::string>& tagsRead) {
    std::vector<std::string> fields = session::columnFieldsOf(format.kind);
    fields.insert(fields.end(), tagsRead.begin(), tagsRead.end());
    if (format.kind == DataFormat::kText) fields.push_back("continues"); // as our own passages of a text file have it
    if (hasPlainText)
        std::erase_if(fields, [](const std::string& field) { return field == "system" || field == "tools"; });
    if (!format.prompt.empty()) std::erase_if(fields, isFieldOfPrompt);
    const bool isInPrompt = std::ranges::any_of(format.prompt, [&](const session::PromptPiece& piece) {
        return piece.isColumn && isWithin(piece.text, column);
    });
    const auto isFieldRead = [&](const std::string& field) { return std::ranges::find(fields, field) != fields.end(); };
    const bool isMapped = std::ranges::any_of(format.columns, [&](const session::ColumnChoice& choice) {
        return isFieldRead(choice.field) && isWithin(choice.column, column);
    });
    const bool isReplaced =
        std::ranges::find(format.columns, column, &session::ColumnChoice::field) != format.columns.end();
    const bool isField = isFieldRead(column) && !isReplaced;
    return isMapped || isInPrompt || isField;
}

bool isClear(AnswerTag tag) {
    return tag == AnswerTag::kGood || tag == AnswerTag::kBad;
}

// The fields that say whether a row is to be learnt. A switch counts where all of its values do.
class TagsRead {
public:
    void look(const Json& mapped, DataFormat format) {
        for (const char* tag : kAnswerTags)
            if (isClear(answerTagIn(mapped, tag, format))) m_clear.insert(tag);
        for (const auto& [name, value] : mapped.items()) {
            const AnswerTag said = switchIn(name, value);
            if (isClear(said)) m_clear.insert(name);
            if (said == AnswerTag::kUnclear) m_unclear.insert(name);
        }
    }

    std::set<std::string> fields() const {
        std::set<std::string> fields = m_clear;
        for (const std::string& name : m_unclear)
            fields.erase(name);
        return fields;
    }

private:
    std::set<std::string> m_clear, m_unclear;
};

// Of a message, beside what says who speaks and what is said.
constexpr std::string_view kReadOfMessages[] = {"reasoning_content", "reasoning", "thinking", "tool_calls"};

void addMessageFields(const Json& turns, const std::string& column, std::set<MessageField>& fields) {
    for (const Json& turn : turns) {
        if (!turn.is_object()) continue; // a bad row, which is listed
        const TurnNames names = turnNamesOf(turn);
        for (const auto& [name, value] : turn.items()) {
            const bool isRead = name == std::string_view(names.role ? names.role : "") ||
                                name == std::string_view(names.words ? names.words : "") ||
                                std::ranges::find(kReadOfMessages, name) != std::end(kReadOfMessages) ||
                                isClear(messageSwitchIn(name, value));
            if (!value.is_null() && value != "" && !isRead) fields.insert({column, name, false});
        }
    }
}

// That a field of the format is read from.
std::string columnOf(const char* field, const RowFormat& format) {
    const auto choice = std::ranges::find(format.columns, field, &session::ColumnChoice::field);
    return choice == format.columns.end() ? field : choice->column;
}

// What calls of tools hold beyond their form, wherever in a message the row has them.
void addCallFields(const Conversation& chat, const RowFormat& format, std::set<MessageField>& fields) {
    for (std::size_t i = 0; i < chat.messages.size(); ++i) {
        const auto calls = chat.messages[i].find("tool_calls");
        if (calls == chat.messages[i].end()) continue;
        const char* list = format.kind == DataFormat::kMessages       ? "messages"
                           : format.kind == DataFormat::kShareGpt     ? "conversations"
                           : chat.completion && i >= *chat.completion ? "completion"
                                                                      : "prompt";
        for (const Json& call : *calls)
            for (const std::string& path : otherFieldsOf(call))
                fields.insert({columnOf(list, format), "tool_calls." + path, true});
    }
}

// Of all messages of a row.
std::set<MessageField> messageFieldsOf(const Json& mapped, const RowFormat& format) {
    std::set<MessageField> fields;
    for (const char* key : {"messages", "conversations", "prompt", "completion"}) {
        const std::vector<std::string> read = session::columnFieldsOf(format.kind);
        const auto list = mapped.find(key);
        if (list == mapped.end() || std::ranges::find(read, key) == read.end()) continue;
        const std::string column = columnOf(key, format);
        if (list->is_string())
            addMessageFields(parseInner(list->get_ref<const std::string&>()), column, fields);
        else if (list->is_array())
            addMessageFields(*list, column, fields);
    }
    return fields;
}

// Whether a template reads a field of that name of anything: "message.name", "message['name']".
bool isReadBy(std::string_view source, const std::string& name) {
    const auto isOfName = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    for (std::size_t at = source.find(name); at != std::string_view::npos; at = source.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool isWhole = end == source.size() || !isOfName(source[end]);
        if (isWhole && at > 0 && std::string_view(".'\"").find(source[at - 1]) != std::string_view::npos) return true;
    }
    return false;
}

// "messages.mask", as paths into columns are written.
void addFieldsNotRead(const std::set<MessageField>& fields, const text::ChatTemplate& chatTemplate,
                      std::vector<std::string>& names) {
    const std::string source = chatTemplate.source(false) + chatTemplate.source(true);
    for (const auto& [column, name, isOfCall] : fields)
        if (isOfCall || !isReadBy(source, name)) names.push_back(column + "." + name);
}

class Inspection {
public:
    Inspection(const fs::path& path, const RowFormat& format, const InspectLimits& limits)
        : m_limits(limits), m_stream(path, format, RowStream::Unknown::kKept), m_namedColumns(format) {
        m_report.file = m_stream.file();
        m_report.fileBytes = FileReader(path).sizeBytes();
        m_report.idleSettings = idleSettingsOf(format.table, m_report.file.kind);
    }

    FileReport run(const InspectCallback& progress) {
        for (auto rows = m_stream.nextChunk(); !rows.empty() && m_report.isWhole;) { // looks one chunk ahead
            for (RawRow& raw : rows) {
                m_report.isWhole = m_limits.numRows == 0 || m_report.numRows < m_limits.numRows;
                if (!m_report.isWhole) break;
                take(raw);
            }
            rows = m_stream.nextChunk();
            if (m_report.isWhole && !rows.empty() && progress) m_report.isWhole = goesOn(progress);
        }
        return soFar();
    }

private:
    bool goesOn(const InspectCallback& progress) const {
        const auto bytes = static_cast<double>(std::max<int64_t>(1, m_report.fileBytes));
        const double fraction = static_cast<double>(m_stream.source().bytesRead()) / bytes;
        return progress({m_report.numRows, std::min(1.0, fraction)}, [this] {
            FileReport report = soFar();
            report.isWhole = false;
            return report;
        });
    }

    FileReport soFar() const {
        FileReport report = m_report;
        report.format = m_stream.format();
        report.missingColumns = m_namedColumns.missing();
        for (ColumnReport& column : report.columns)
            column.isRead = report.format.kind == DataFormat::kAuto || column.numRows == 0 ||
                            isRead(column.name, report.format, m_hasPlainText, m_tagsRead.fields());
        report.formatReason = m_stream.sniffer().reason();
        if (report.format.kind == DataFormat::kAuto) {
            report.formatProblem = !m_stream.sniffer().advice().empty() ? m_stream.sniffer().advice()
                                   : report.numRows == 0                ? "It has no rows."
                                                                        : "No row could be read that would tell it.";
            report.suggested = m_stream.sniffer().suggested();
        }
        return report;
    }

    void take(RawRow& raw) {
        constexpr std::size_t kKeptBytes = std::size_t{64} << 10; // of a row that is shown
        ++m_report.numRows;
        m_namedColumns.look({&raw, 1});
        std::string problem = raw.problem.text();
        try {
            if (problem.empty()) {
                Json row = parseRow(raw.json);
                raw.json = {}; // it may be 64 MiB, and is not needed beside what it holds
                note(row, m_report.columns);
                if (static_cast<int64_t>(m_report.firstRows.size()) < m_limits.numFirstRows)
                    m_report.firstRows.push_back(jsonInShort(row, kKeptBytes));
                if (m_stream.format().kind != DataFormat::kAuto) // else said once, for the file
                    read(mappedRow(std::move(row), m_stream.format()));
            }
        } catch (const RowProblem& bad) {
            problem = bad.what();
        }
        if (problem.empty()) return;
        if (m_report.numBad++ < m_limits.numBadRows) m_report.badRows.push_back({raw.number, std::move(problem)});
    }

    void read(const Json& mapped) {
        const RowFormat& format = m_stream.format();
        m_tagsRead.look(mapped, format.kind);
        m_report.messageFields.merge(messageFieldsOf(mapped, format));
        const auto chat = chatIn(mapped, format);
        m_hasPlainText = m_hasPlainText || !chat;
        if (chat) addCallFields(*chat, format, m_report.messageFields);
    }

    InspectLimits m_limits;
    RowStream m_stream;
    NamedColumns m_namedColumns;
    TagsRead m_tagsRead;
    bool m_hasPlainText = false; // rows without a chat, which have no place for a system's words and for tools
    FileReport m_report;
};

// As OpenAI has it: arguments are a string; whether a turn is trained is its weight, and of a completion all before it
// is not.
Json openAiOf(const Conversation& conversation) {
    Json messages = conversation.messages;
    for (Json& message : messages) {
        for (auto entry = message.begin(); entry != message.end();)
            entry = isClear(messageSwitchIn(entry.key(), *entry)) ? message.erase(entry) : std::next(entry);
        if (!message.contains("tool_calls")) continue;
        for (Json& call : message["tool_calls"])
            if (Json* arguments = argumentsOf(call); arguments != nullptr && !arguments->is_string())
                *arguments = jsonText(*arguments);
    }
    for (std::size_t i = 0; i < conversation.assistants.size(); ++i) {
        const std::size_t index = conversation.assistants[i];
        const bool isBefore = conversation.completion && index < *conversation.completion;
        if (!conversation.wanted[i] || isBefore) messages[index]["weight"] = 0;
    }
    Json row = {{"messages", std::move(messages)}};
    if (!conversation.tools.is_null()) row["tools"] = conversation.tools;
    return row;
}

[[noreturn]] void refusePlainText(const fs::path& path, DataFormat format) {
    throw unsupported(fmt::format("'{}' has the format {}, which is no chat and cannot be written as messages.",
                                  path.string(), spellingOf(format)),
                      format == DataFormat::kCompletion ? "To make a chat of prompts and completions say so: --format "
                                                          "alpaca --columns instruction=prompt,output=completion."
                                                        : "It can be trained on as it is.");
}

} // namespace

FileReport inspectFile(const fs::path& path, const RowFormat& format, const InspectLimits& limits,
                       const InspectCallback& progress) {
    return Inspection(path, format, limits).run(progress);
}

FileReport inspectBeginning(const fs::path& path, const RowFormat& format) {
    return inspectFile(path, format, {0, 0, 0}, [](const auto&, const auto&) { return false; });
}

std::vector<session::ColumnsNotRead> columnsNotRead(const DataOptions& options,
                                                    const text::ChatTemplate& chatTemplate) {
    std::vector<session::ColumnsNotRead> result;
    const std::vector<fs::path> files = options.allFiles();
    for (std::size_t i = 0; i < files.size(); ++i) {
        session::ColumnsNotRead found{static_cast<int32_t>(i), {}};
        const FileReport report = inspectBeginning(files[i], options.format);
        for (const ColumnReport& column : report.columns)
            if (!column.isRead) found.columns.push_back(column.name);
        addFieldsNotRead(report.messageFields, chatTemplate, found.columns);
        if (!found.columns.empty()) result.push_back(std::move(found));
    }
    return result;
}

std::vector<session::RowRemark> idleSettingsOf(const TableLayout& table, FileKind kind) {
    const TableLayout usual;
    std::vector<session::RowRemark> idle;
    if (kind == FileKind::kCsv || kind == FileKind::kTsv) return idle;
    if (table.delimiter != usual.delimiter) idle.push_back(session::RowRemark::kDelimiterIdle);
    if (table.hasHeader != usual.hasHeader) idle.push_back(session::RowRemark::kHeaderIdle);
    return idle;
}

std::vector<session::RowRemark> idleTableSettings(const DataOptions& options) {
    const TableLayout& table = options.format.table;
    std::vector<session::RowRemark> idle;
    for (const fs::path& file : options.allFiles()) {
        idle = idleSettingsOf(table, examineFile(file, table).kind);
        if (idle.empty()) break;
    }
    return idle;
}

void requireNamedColumns(const DataOptions& options) {
    const std::vector<fs::path> files = options.allFiles();
    NamedColumns named(options.format);
    for (const fs::path& file : files) {
        if (named.missing().empty()) return;
        RowStream stream(file, options.format, RowStream::Unknown::kKept);
        for (auto rows = stream.nextChunk(); !rows.empty() && !named.missing().empty(); rows = stream.nextChunk())
            named.look(rows);
    }
    if (!files.empty()) named.require(files.front(), files.size());
}

std::vector<std::string> columnsNotReadIn(const RawRow& raw, const RowFormat& format,
                                          const text::ChatTemplate& chatTemplate) {
    std::vector<std::string> names;
    try {
        if (!raw.problem.empty()) return {};
        Json row = parseRow(raw.json);
        for (const auto& [name, value] : row.items())
            if (!value.is_null()) names.push_back(name);
        const Json mapped = mappedRow(std::move(row), format);
        TagsRead tags;
        tags.look(mapped, format.kind);
        const bool isPlain = plainTextOf(mapped, format).has_value();
        std::erase_if(names, [&](const std::string& name) { return isRead(name, format, isPlain, tags.fields()); });
        std::set<MessageField> fields = messageFieldsOf(mapped, format);
        try {
            if (!isPlain) addCallFields(conversationOf(mapped, format), format, fields);
        } catch (const RowProblem&) { // it is dropped, which is said
        }
        addFieldsNotRead(fields, chatTemplate, names);
        return names;
    } catch (const RowProblem&) {
        return {};
    }
}

Converted convertToMessages(const fs::path& path, const RowFormat& format,
                            const std::function<void(const std::string&)>& write,
                            const std::function<void(const BadRow&)>& leaveOut) {
    RowStream stream(path, format);
    NamedColumns named(format);
    Converted result;
    for (auto rows = stream.nextChunk(); !rows.empty(); rows = stream.nextChunk()) {
        named.look(rows);
        for (const RawRow& raw : rows) {
            try {
                if (!raw.problem.empty()) throw RowProblem(DropReason::kBadRow, raw.problem);
                const Json row = mappedRow(parseRow(raw.json), stream.format());
                const bool isPlain = plainTextOf(row, stream.format()).has_value();
                if (isPlain) named.require(path); // for want of which it may be
                if (isPlain) refusePlainText(path, stream.format().kind);
                write(jsonText(openAiOf(conversationOf(row, stream.format(), Arguments::kAsGiven))) + "\n");
                ++result.numWritten;
            } catch (const RowProblem& problem) {
                ++result.numLeftOut;
                leaveOut({raw.number, problem.what()});
            }
        }
    }
    named.require(path);
    return result;
}

} // namespace roundpipe::data
