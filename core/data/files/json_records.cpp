#include "data/files/json_records.h"

namespace roundpipe::data {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool isBlank(std::string_view text) {
    return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

// Where we are inside one element: a bracket in a string counts for nothing.
struct Nesting {
    int64_t depth = 0;
    bool inString = false;
    bool escaped = false;

    // Whether `c` ends the element; it is then a comma or the array's closing bracket.
    bool endsWith(char c) {
        if (inString) {
            if (escaped)
                escaped = false;
            else if (c == '\\')
                escaped = true;
            else if (c == '"')
                inString = false;
            return false;
        }
        if (depth == 0 && (c == ',' || c == ']')) return true;
        if (c == '"')
            inString = true;
        else if (c == '{' || c == '[')
            ++depth;
        else if (c == '}' || c == ']')
            --depth;
        return false;
    }
};

void append(FileRecord& record, std::string_view part) {
    if (!record.problem.empty()) return;
    if (record.text.size() + part.size() <= kMaxRowBytes) {
        record.text += part;
    } else {
        record.problem = session::Remark(session::RowRemark::kTooManyBytes);
        record.text.clear();
    }
}

} // namespace

bool JsonLines::next(FileRecord& record) {
    record = {m_line, m_bytes.offset()};
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        const std::size_t end = chunk.find('\n');
        append(record, chunk.substr(0, end));
        m_bytes.consume(end == std::string_view::npos ? chunk.size() : end + 1);
        if (end == std::string_view::npos) continue;
        record.number = ++m_line;
        if (!record.problem.empty() || !isBlank(record.text)) return true;
        record = {m_line, m_bytes.offset()};
    }
    if (record.problem.empty() && isBlank(record.text)) return false;
    record.number = ++m_line;
    record.endedByFile = true;
    return true;
}

JsonArray::End JsonArray::readElement(FileRecord& record) {
    Nesting nesting;
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        std::size_t length = 0;
        while (length < chunk.size() && !nesting.endsWith(chunk[length]))
            ++length;
        append(record, chunk.substr(0, length));
        const bool ended = length < chunk.size();
        const char end = ended ? chunk[length] : '\0';
        m_bytes.consume(length + (ended ? 1 : 0));
        if (ended) return end == ',' ? End::kComma : End::kBracket;
    }
    return End::kFile;
}

bool JsonArray::next(FileRecord& record) {
    if (m_finished) return false;
    FileRecord element{m_element + 1, m_bytes.offset()};
    const End end = readElement(element);
    m_finished = end != End::kComma;
    element.endedByFile = end == End::kFile;
    if (element.endedByFile) element.problem = session::Remark(session::RowRemark::kArrayCutOff);
    if (end == End::kBracket) {
        checkTheEnd(element);
        if (m_element == 0 && element.problem.empty() && isBlank(element.text)) return false; // []
    }
    if (!element.problem.empty()) element.text.clear();
    ++m_element;
    record = std::move(element);
    return true;
}

void JsonArray::checkTheEnd(FileRecord& record) {
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        if (!isBlank(chunk)) record.problem = session::Remark(session::RowRemark::kTextAfterArray);
        if (!record.problem.empty()) return;
        m_bytes.consume(chunk.size());
    }
}

} // namespace roundpipe::data
