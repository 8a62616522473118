// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/table_header.h"

#include "base/error.h"
#include "data/files/records/csv_delimiter.h"
#include "data/files/records/csv_records.h"
#include "text/utf8.h"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kQuotedNameBytes = 80;

constexpr const char* kNoHeader = "Where the first line is a row, not a header, say so: data.header off (--no-header).";
constexpr const char* kOneNameEach = "Give each column a name of its own. Where the first line is a row, not a header, "
                                     "say so: data.header off (--no-header).";

[[noreturn]] void refuse(const RowFile& file, const std::string& what, const char* advice = kNoHeader) {
    throw invalidInput(fmt::format("'{}' has a header that {}.", file.path.string(), what), advice);
}

char delimiterOf(ByteStream& bytes, const TableLayout& table, const RowFile& file) {
    const char named = takeNamedDelimiter(bytes);
    if (table.delimiter != '\0') return table.delimiter;
    if (named != '\0') return named;
    return sniffDelimiter(file.path, file.compression, file.kind == FileKind::kCsv ? ',' : '\t');
}

std::string columnNumber(std::size_t index) {
    return fmt::format("column {}", index + 1);
}

// "name, city" is how people write it: a blank at an end of a column's name is nobody's intention.
std::string withoutBlanks(const std::string& name) {
    const std::size_t first = name.find_first_not_of(" \t");
    return first == std::string::npos ? "" : name.substr(first, name.find_last_not_of(" \t") + 1 - first);
}

void nameColumns(std::vector<std::string> names, RowFile& file) {
    std::set<std::string> seen;
    for (std::string& name : names) {
        if (text::firstInvalidUtf8(name))
            refuse(file, "is not valid UTF-8 in " + columnNumber(file.columns.size()), "Save the file as UTF-8.");
        name = withoutBlanks(name);
        if (name.empty()) name = columnNumber(file.columns.size()); // as pandas leaves its index
        if (!seen.insert(name).second)
            refuse(file, fmt::format("names the column '{}' twice", name.substr(0, kQuotedNameBytes)), kOneNameEach);
        file.columns.push_back(std::move(name));
    }
}

} // namespace

void readTableHeader(ByteStream& bytes, const TableLayout& table, RowFile& file) {
    file.delimiter = delimiterOf(bytes, table, file);
    file.firstRowOffset = bytes.offset();
    CsvRecords records(bytes, file.delimiter, 0);
    FileRecord first;
    if (!records.next(first)) throw invalidInput(fmt::format("'{}' has no rows: it is empty.", file.path.string()));
    if (!first.problem.empty()) refuse(file, first.problem.text());
    if (first.text.find('\r') < first.text.size() - 1 && first.endedByFile)
        throw invalidInput(fmt::format("'{}' ends its lines with carriage returns alone.", file.path.string()),
                           "Save it with line feeds (in a terminal: tr '\\r' '\\n' < OLD > NEW).");
    CsvCells cells = cellsOf(first.text, file.delimiter);
    if (!table.hasHeader) {
        for (std::size_t i = 0; i < cells.texts.size(); ++i)
            file.columns.push_back(columnNumber(i));
        return;
    }
    if (cells.goesOn) refuse(file, session::Remark(session::RowRemark::kTextBehindQuote, *cells.goesOn + 1).text());
    nameColumns(std::move(cells.texts), file);
    file.firstRowOffset = bytes.offset();
    if (!records.next(first))
        throw invalidInput(fmt::format("'{}' has a header, and no row below it.", file.path.string()), kNoHeader);
}

} // namespace roundpipe::data
