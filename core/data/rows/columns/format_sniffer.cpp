// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/format_sniffer.h"

#include "base/error.h"
#include "data/row_problem.h"
#include "data/rows/columns/row_format.h"
#include "session/spec/run_spec.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {

namespace {

// A header holds a name that a format has, so it is one.
bool namesFields(const Json& row) {
    return std::ranges::any_of(session::columnFieldsOf(DataFormat::kAuto),
                               [&](const std::string& field) { return row.contains(field); });
}

// What nobody calls a column: a number, a sentence with its mark, many words.
bool isNoName(const std::string& text) {
    constexpr const char* kMarks[] = {".", "?", "!", "。", "？", "！"};
    constexpr int kMostBlanksOfNames = 4;
    const bool isNumber = !text.empty() && text.find_first_not_of("0123456789.,-+") == std::string::npos;
    return isNumber || std::ranges::count(text, ' ') > kMostBlanksOfNames ||
           std::ranges::any_of(kMarks, [&](const char* mark) { return text.ends_with(mark); });
}

bool isEvidentlyRow(const Json& row) {
    for (const auto& [name, value] : row.items())
        if (isNoName(name)) return true;
    return false;
}

} // namespace

FormatSniffer::FormatSniffer(RowFormat wanted, const RowFile& file)
    : m_format(std::move(wanted))
    , m_hasHeader((file.kind == FileKind::kCsv || file.kind == FileKind::kTsv) && m_format.table.hasHeader) {}

void FormatSniffer::look(std::span<const RawRow> rows) {
    constexpr int kRowsToSniff = 20;
    int numUnknown = 0;
    for (const RawRow& row : rows) {
        if (m_format.kind != DataFormat::kAuto || numUnknown == kRowsToSniff) return;
        if (!row.problem.empty()) continue;
        try {
            SniffedFormat found = sniffFormat(parseRow(row.json), m_format);
            if (found.format.kind == DataFormat::kAuto) {
                if (numUnknown++ > 0) continue;
                m_advice = std::move(found.advice);
                m_suggested = std::move(found.suggested);
                if (m_hasHeader) considerHeader(row.json);
                continue;
            }
            m_format = std::move(found.format);
            m_reason = std::move(found.reason);
        } catch (const RowProblem&) { // listed when it is encoded
        }
    }
}

// A table's first record may be a row: columns by its cells' names would then be advice that loses it.
void FormatSniffer::considerHeader(const std::string& json) {
    const Json row = parseRow(json);
    if (namesFields(row)) return;
    if (!isEvidentlyRow(row)) {
        m_advice += " Where the first line is a row, not a header, say so: data.header off (--no-header).";
        return;
    }
    m_suggested.clear();
    m_advice = "The first line looks like a row, not a header: say so by data.header off (--no-header). Where it is a "
               "header: " +
               m_advice;
}

void FormatSniffer::requireKnown(const std::filesystem::path& file) const {
    if (m_format.kind == DataFormat::kAuto && !m_advice.empty())
        throw NothingUsable(ErrorKind::kUnsupported,
                            fmt::format("'{}' holds rows of a format that we do not know.", file.string()), m_advice);
}

} // namespace roundpipe::data
