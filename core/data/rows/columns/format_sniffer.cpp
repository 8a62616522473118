// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/format_sniffer.h"

#include "base/error.h"
#include "data/row_problem.h"
#include "data/rows/columns/row_format.h"

#include <fmt/format.h>

namespace roundpipe::data {

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
                if (m_hasHeader)
                    m_advice += " Where the first line is a row, not a header, say so: data.header off (--no-header).";
                continue;
            }
            m_format = std::move(found.format);
            m_reason = std::move(found.reason);
        } catch (const RowProblem&) { // listed when it is encoded
        }
    }
}

void FormatSniffer::requireKnown(const std::filesystem::path& file) const {
    if (m_format.kind == DataFormat::kAuto && !m_advice.empty())
        throw unsupported(fmt::format("'{}' holds rows of a format that we do not know.", file.string()), m_advice);
}

} // namespace roundpipe::data
