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
    std::vector<std::string> texts; // without their quotes, and the blanks that some put around these
    // The first in which text follows the closing quote, so that nobody can tell which quotes belong to it; and whether
    // that quote has a backslash before it, as other programs write one within quotes.
    std::optional<std::size_t> goesOn;
    bool isEscaped = false;
    bool isNeverClosed = false; // quotes behind a blank, which hold no line end
};
CsvCells cellsOf(std::string_view record, char delimiter);

} // namespace roundpipe::data
