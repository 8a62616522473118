// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts CSV and TSV into records (RFC 4180: quotes around a cell may hold delimiters and line ends, a quote in them is
// doubled). Internal to this folder.
#pragma once

#include "data/files/records/record_reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::data {

// Blank lines are skipped and not counted. A quote that is never closed costs its line only: reading goes on behind it.
class CsvRecords final : public RecordReader {
public:
    CsvRecords(ByteStream& bytes, char delimiter, int64_t recordsBefore)
        : m_bytes(bytes), m_delimiter(delimiter), m_record(recordsBefore) {}
    bool next(FileRecord& record) override; // without the line end

private:
    bool cut(std::string& text); // whether the record ended before a quote was closed, or was too long

    ByteStream& m_bytes;
    char m_delimiter;
    int64_t m_record;
};

struct CsvCells {
    // Without their quotes, and the blanks that some put around these; what follows a closing quote within its cell is
    // kept as it is.
    std::vector<std::string> texts;
    // The first in which text follows a quote with a backslash before it, as other programs write a quote within
    // quotes: it was taken for the closing one.
    std::optional<std::size_t> escaped;
    bool isNeverClosed = false; // quotes behind a blank, which hold no line end
};
CsvCells cellsOf(std::string_view record, char delimiter);

} // namespace roundpipe::data
