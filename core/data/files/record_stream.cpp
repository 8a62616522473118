// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/record_stream.h"

#include "base/error.h"
#include "data/files/records/csv_records.h"
#include "data/files/records/json_records.h"
#include "data/files/records/text_records.h"
#include "text/utf8.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

using Json = nlohmann::ordered_json;
using session::Remark;
using session::RowRemark;

JsonArray::Around aroundListOf(const RowFile& file) {
    if (file.listKey.empty()) return JsonArray::Around::kNothing;
    return file.hasListBefore ? JsonArray::Around::kObjectWithListBefore : JsonArray::Around::kObject;
}

std::unique_ptr<RecordReader> makeReader(const RowFile& file, ByteStream& bytes, int64_t numBefore) {
    switch (file.kind) {
    case FileKind::kJsonLines:
        return std::make_unique<JsonLines>(bytes, numBefore);
    case FileKind::kJsonArray:
        return std::make_unique<JsonArray>(bytes, numBefore, aroundListOf(file));
    case FileKind::kJsonObjects:
        return std::make_unique<JsonObjects>(bytes, numBefore);
    case FileKind::kCsv:
    case FileKind::kTsv:
        return std::make_unique<CsvRecords>(bytes, file.delimiter, numBefore);
    case FileKind::kText:
        return std::make_unique<TextRecords>(bytes, numBefore);
    case FileKind::kParquet:
    case FileKind::kArrow:
        break;
    }
    failCheck("!isColumnar(file.kind)", __FILE__, __LINE__);
}

// Why the text cannot be used; empty where it can. `column`: of a table's cell.
Remark problemOf(std::string_view text, const std::string* column = nullptr) {
    if (const auto invalid = text::firstInvalidUtf8(text)) {
        const std::string byte = fmt::format("{:02x}", static_cast<unsigned char>(text[*invalid]));
        return column == nullptr ? Remark(RowRemark::kInvalidUtf8, byte, *invalid + 1)
                                 : Remark(RowRemark::kInvalidUtf8InColumn, byte, *invalid + 1, *column);
    }
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        return column == nullptr ? Remark(RowRemark::kZeroByte, zero + 1)
                                 : Remark(RowRemark::kZeroByteInColumn, zero + 1, *column);
    return {};
}

void fillCells(const RowFile& file, std::string_view text, RawRow& row) {
    const auto [cells, goesOn, isEscaped, isNeverClosed] = cellsOf(text, file.delimiter);
    if (goesOn)
        row.problem = Remark(isEscaped ? RowRemark::kEscapedQuote : RowRemark::kTextBehindQuote, *goesOn + 1);
    else if (isNeverClosed)
        row.problem = Remark(RowRemark::kQuoteNeverClosed);
    if (!row.problem.empty()) return;
    if (cells.size() != file.columns.size()) {
        row.problem = Remark(RowRemark::kOtherColumns, file.columns.size(), cells.size());
        return;
    }
    Json object = Json::object();
    for (std::size_t column = 0; column < cells.size(); ++column) {
        row.problem = problemOf(cells[column], &file.columns[column]);
        if (!row.problem.empty()) return;
        object[file.columns[column]] = cells[column];
    }
    row.json = object.dump();
}

void fillPassage(std::string text, bool continues, RawRow& row) {
    row.problem = problemOf(text);
    if (!row.problem.empty()) return;
    for (std::size_t found = text.find("\r\n"); found != std::string::npos; found = text.find("\r\n", found))
        text.erase(found, 1);
    Json object = {{"text", std::move(text)}};
    if (continues) object["continues"] = true;
    row.json = object.dump();
}

} // namespace

RecordStream::RecordStream(const RowFile& file, const RecordStart& start)
    : m_bytes(file.path, file.compression, file.compression == Compression::kNone ? start.offset : 0)
    , m_records(makeReader(file, m_bytes, start.numBefore))
    , m_lastNumber(start.numBefore) {
    while (m_bytes.offset() < start.offset && !m_bytes.peek().empty())
        m_bytes.consume(std::min(m_bytes.peek().size(), static_cast<std::size_t>(start.offset - m_bytes.offset())));
}

bool RecordStream::next(FileRecord& record) {
    if (m_ended) return false;
    const bool found = m_records->next(record);
    m_ended = !found || record.endedByFile;
    const bool isDamaged = m_ended && !m_bytes.problem().empty();
    if (isDamaged) // the record that the damage fell into is none, though it may look like one
        record = {found ? record.number : m_lastNumber + 1,
                  m_bytes.offset(),
                  {},
                  Remark(RowRemark::kUnreadableFromHere, m_bytes.problem())};
    m_lastNumber = record.number;
    return found || isDamaged;
}

RawRow rowOf(const RowFile& file, FileRecord record) {
    RawRow row{record.number, {}, std::move(record.problem)};
    if (!row.problem.empty()) return row;
    if (file.kind == FileKind::kCsv || file.kind == FileKind::kTsv) {
        fillCells(file, record.text, row);
    } else if (file.kind == FileKind::kText) {
        fillPassage(std::move(record.text), record.continues, row);
    } else {
        row.problem = problemOf(record.text);
        if (row.problem.empty()) row.json = std::move(record.text);
    }
    return row;
}

} // namespace roundpipe::data
