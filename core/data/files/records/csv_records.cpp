// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/records/csv_records.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

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
            } else if (text[i] == m_delimiter) {
                m_state = State::kCellStart;
            } else if (text[i] == '"' && m_state != State::kPlain) {
                m_state = State::kQuoted; // opened, or doubled
            } else {
                m_state = State::kPlain;
            }
        }
        return text.size();
    }
    bool isQuoted() const { return m_state == State::kQuoted; }

private:
    enum class State { kCellStart, kPlain, kQuoted, kQuoteInQuotes };
    char m_delimiter;
    State m_state = State::kCellStart;
};

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
    CsvCells result{{""}, {}};
    std::vector<std::string>& cells = result.texts;
    bool wasBackslash = false; // before the quote that closed the last cell's
    std::size_t i = 0;
    while (i < record.size()) {
        if (record[i] == '"' && cells.back().empty() && (i == 0 || record[i - 1] == delimiter)) {
            for (++i; i < record.size(); ++i) { // a quoted cell
                if (record[i] == '"' && (i + 1 == record.size() || record[i + 1] != '"')) break;
                if (record[i] == '"') ++i;
                cells.back() += record[i];
            }
            wasBackslash = cells.back().ends_with('\\');
            ++i;
        } else if (record[i] == delimiter) {
            cells.emplace_back();
            wasBackslash = false;
            ++i;
        } else {
            if (wasBackslash && !result.escaped) result.escaped = cells.size() - 1;
            cells.back() += record[i++];
        }
    }
    return result;
}

} // namespace roundpipe::data
