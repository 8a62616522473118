// SPDX-License-Identifier: GPL-3.0-or-later
// What a data file holds, without a model: kind, format, columns, and which rows cannot be used.
#pragma once

#include "data/files/row_file.h"
#include "data/files/row_source.h"
#include "data/options.h"
#include "data/rows/columns/named_columns.h"
#include "session/workbench.h"
#include "text/chat_template.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace roundpipe::data {

struct ColumnReport {
    std::string name;
    int64_t numRows = 0;            // that have it, and not as null
    std::vector<std::string> types; // JSON's, as they were met: more than one is worth a look
    bool isRead = false;            // by the file's format; a column that holds nothing is not missed
    std::string example;            // the first value as JSON, cut to a line's length
};

// A field of messages that we do not read ourselves, of a column: what it is for, a chat template may know, but for
// what stands in a call of a tool beyond its form, which none reads.
struct MessageField {
    std::string column, name; // the name in a call is a path: "tool_calls.status"
    bool isOfCall = false;

    auto operator<=>(const MessageField&) const = default;
};

struct BadRow {
    int64_t number = 0;
    std::string problem; // completes "line 7 …"
};

struct FileReport {
    RowFile file;
    int64_t fileBytes = 0;
    int64_t numRows = 0; // bad ones included
    int64_t numBad = 0;
    bool isWhole = true;          // false: stopped at the limit of rows, or asked to, or being read still
    RowFormat format;             // kAuto where none was found
    session::Remark formatReason; // "it has 'messages'"; empty where it was given
    std::string formatProblem;    // why there is none, and what is wanted
    std::vector<session::ColumnChoice> suggested; // then: what its columns may be meant as
    std::vector<ColumnReport> columns;
    std::set<MessageField> messageFields;
    std::vector<NamedColumn> missingColumns;      // that the settings name, and none of the rows read has
    std::vector<session::RowRemark> idleSettings; // of tables, where the file is none; they complete "not used: …"
    std::vector<std::string> firstRows;           // JSON; of a row of over 64 KiB as much, with "…" where it goes on
    std::vector<BadRow> badRows;                  // the first of them
};

struct InspectProgress {
    int64_t numRows = 0;
    double fraction = 0; // of the file's bytes
};

struct InspectLimits {
    int64_t numRows = 0; // to read; 0: all
    int64_t numFirstRows = 3;
    int64_t numBadRows = 20;
};

// What is known so far, in the calling thread: of the first thousand rows at once, and again after each so many more;
// not at the end. `report` makes it. False: stop.
using InspectCallback = std::function<bool(const InspectProgress& progress, const std::function<FileReport()>& report)>;

// A row is bad where it cannot become a conversation or a text; what a model's template makes of it is not asked.
// Throws what openRows() throws.
FileReport inspectFile(const std::filesystem::path& path, const RowFormat& format, const InspectLimits& limits = {},
                       const InspectCallback& progress = {});

// Throws kInvalidInput where the settings name a column that no row of any file has, and what openRows() throws. Reads
// the first rows alone where these have them all.
void requireNamedColumns(const DataOptions& options);

// Of the first thousand rows, or 16 MiB of them, and without examples.
FileReport inspectBeginning(const std::filesystem::path& path, const RowFormat& format);

// Of each file (of the report: options.allFiles()) whose first rows hold something that its format does not read;
// of messages, "messages.mask", what neither we nor the template do.
// Throws what openRows() throws.
std::vector<session::ColumnsNotRead> columnsNotRead(const DataOptions& options, const text::ChatTemplate& chatTemplate);

// Settings of tables that were made, for which a file of that kind has no use.
std::vector<session::RowRemark> idleSettingsOf(const TableLayout& table, FileKind kind);
// The same of a dataset: where none of its files has.
std::vector<session::RowRemark> idleTableSettings(const DataOptions& options);

// What the format does not read of one row; of one that cannot be read none.
std::vector<std::string> columnsNotReadIn(const RawRow& raw, const RowFormat& format,
                                          const text::ChatTemplate& chatTemplate);

// Each usable row as a line of OpenAI's messages. `write` receives the lines (with their line feeds), `leaveOut` the
// rows that cannot be read. Throws kUnsupported where the rows are no chat (text, segments, prompt and completion as
// strings), and what openRows() throws.
struct Converted {
    int64_t numWritten = 0;
    int64_t numLeftOut = 0;
};
Converted convertToMessages(const std::filesystem::path& path, const RowFormat& format,
                            const std::function<void(const std::string&)>& write,
                            const std::function<void(const BadRow&)>& leaveOut);

} // namespace roundpipe::data
