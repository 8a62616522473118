// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/csv_records.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

// Follows quotes from the start of a record.
class CsvScanner {
public:
    explicit CsvScanner(char delimiter) : m_delimiter(delimiter) {}

    // Up to the line feed that ends the record, or the end of `text`.
    std::size_t lengthIn(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (m_state == State::kQuoted) { // the common case of long texts
                i = std::min(text.find('"', i), text.size());
                if (i < text.size()) m_state = State::kQuoteInQuotes;
            } else if (text[i] == '\n') {
                return i;
            } else {
                m_state = behind(text[i]);
            }
        }
        return text.size();
    }
    bool isQuoted() const { return m_state == State::kQuoted; }

private:
    // Quotes behind a blank ("loose" ones) hold delimiters, but no line ends.
    enum class State { kCellStart, kBlank, kPlain, kQuoted, kQuoteInQuotes, kLoose, kQuoteInLoose };

    State behind(char c) const {
        if (m_state == State::kLoose) return c == '"' ? State::kQuoteInLoose : State::kLoose;
        if (c == m_delimiter) return State::kCellStart;
        if (c == '"' && (m_state == State::kBlank || m_state == State::kQuoteInLoose)) return State::kLoose;
        if (c == '"' && m_state != State::kPlain) return State::kQuoted; // opened, or doubled
        const bool isBehindBlanks = m_state == State::kCellStart || m_state == State::kBlank;
        return isBehindBlanks && isBlank(c) ? State::kBlank : State::kPlain;
    }

    char m_delimiter;
    State m_state = State::kCellStart;
};

std::size_t behindBlanks(std::string_view record, std::size_t from, char delimiter) {
    while (from < record.size() && record[from] != delimiter && isBlank(record[from]))
        ++from;
    return from;
}

// A cell that people write with a blank before its quotes (a, "b"): where it ends, if its quotes hold all of it but
// blanks; else it is a text with quotes in it. npos: its quotes are not closed in this record.
std::optional<std::size_t> takeBehindBlanks(std::string_view record, std::size_t begin, char delimiter,
                                            std::string& cell) {
    std::size_t i = behindBlanks(record, begin, delimiter);
    if (i == begin || i == record.size() || record[i] != '"') return std::nullopt;
    std::string text;
    for (++i; i < record.size() && (record[i] != '"' || record.substr(i).starts_with("\"\"")); ++i) {
        text += record[i];
        if (record[i] == '"') ++i;
    }
    if (i == record.size()) return std::string_view::npos;
    const std::size_t end = behindBlanks(record, i + 1, delimiter);
    if (end < record.size() && record[end] != delimiter) return std::nullopt;
    cell = std::move(text);
    return end;
}

} // namespace

bool CsvRecords::cut(std::string& text) {
    CsvScanner scanner(m_delimiter);
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        const std::size_t length = scanner.lengthIn(chunk);
        const bool ended = length < chunk.size();
        text += chunk.substr(0, length + (ended ? 1 : 0));
        m_bytes.consume(length + (ended ? 1 : 0));
        if (ended) return true;
        if (text.size() > kMaxRowBytes) return false;
    }
    return !scanner.isQuoted();
}

bool CsvRecords::next(FileRecord& record) {
    for (;;) {
        const int64_t offset = m_bytes.offset();
        std::string text;
        const bool whole = cut(text);
        if (text.empty()) return false;
        if (!whole) {
            const std::size_t line = std::min(text.find('\n'), text.size() - 1) + 1;
            m_bytes.giveBack(std::string_view(text).substr(line));
            record = {++m_record, offset, {}, session::Remark(session::RowRemark::kQuoteNeverClosed)};
            return true;
        }
        const bool endedByFile = text.back() != '\n';
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
            text.pop_back();
        if (text.empty()) continue;
        record = {++m_record, offset, std::move(text), {}, endedByFile};
        return true;
    }
}

CsvCells cellsOf(std::string_view record, char delimiter) {
    CsvCells result;
    std::vector<std::string>& cells = result.texts;
    cells.emplace_back();
    bool wasQuoted = false;
    std::size_t i = 0;
    while (i < record.size()) {
        if (const bool begins = i == 0 || (record[i - 1] == delimiter && cells.back().empty()); begins)
            if (const auto end = takeBehindBlanks(record, i, delimiter, cells.back())) {
                result.isNeverClosed = *end == std::string_view::npos;
                i = std::min(*end, record.size());
                continue;
            }
        if (record[i] == '"' && cells.back().empty() && (i == 0 || record[i - 1] == delimiter)) {
            for (++i; i < record.size(); ++i) { // a quoted cell
                if (record[i] == '"' && (i + 1 == record.size() || record[i + 1] != '"')) break;
                if (record[i] == '"') ++i;
                cells.back() += record[i];
            }
            wasQuoted = true;
            const std::size_t end = behindBlanks(record, ++i, delimiter);
            if (end >= record.size() || record[end] == delimiter) i = end;
        } else if (record[i] == delimiter) {
            cells.emplace_back();
            wasQuoted = false;
            ++i;
        } else {
            if (wasQuoted && !result.goesOn) {
                result.goesOn = cells.size() - 1;
                result.isEscaped = cells.back().ends_with('\\');
            }
            cells.back() += record[i++];
        }
    }
    return result;
}

} // namespace roundpipe::data
