#include "data/json_sources.h"

#include "data/utf8.h"

#include <fmt/format.h>

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

} // namespace

RawRow rowOf(int64_t number, std::string text, bool tooLong) {
    RawRow row{number, {}, {}};
    if (tooLong)
        row.problem = fmt::format("is longer than {} MiB", kMaxRowBytes >> 20);
    else if (const auto invalid = firstInvalidUtf8(text))
        row.problem = fmt::format("is not valid UTF-8: byte 0x{:02x} at position {}",
                                  static_cast<unsigned char>(text[*invalid]), *invalid + 1);
    else
        row.json = std::move(text);
    return row;
}

std::optional<RawRow> JsonLines::next() {
    std::string text;
    bool tooLong = false;
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        const std::size_t end = chunk.find('\n');
        const std::string_view part = chunk.substr(0, end);
        tooLong = tooLong || text.size() + part.size() > kMaxRowBytes;
        if (!tooLong) text += part;
        m_bytes.consume(end == std::string_view::npos ? chunk.size() : end + 1);
        if (end == std::string_view::npos) continue;
        ++m_line;
        if (tooLong || !isBlank(text)) return rowOf(m_line, std::move(text), tooLong);
        text.clear();
    }
    if (!tooLong && isBlank(text)) return std::nullopt;
    return rowOf(++m_line, std::move(text), tooLong); // the last line had no end
}

JsonArray::End JsonArray::readElement(std::string& text, bool& tooLong) {
    Nesting nesting;
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        std::size_t length = 0;
        while (length < chunk.size() && !nesting.endsWith(chunk[length]))
            ++length;
        tooLong = tooLong || text.size() + length > kMaxRowBytes;
        if (!tooLong) text += chunk.substr(0, length);
        const bool ended = length < chunk.size();
        const char end = ended ? chunk[length] : '\0';
        m_bytes.consume(length + (ended ? 1 : 0));
        if (ended) return end == ',' ? End::kComma : End::kBracket;
    }
    return End::kFile;
}

std::optional<RawRow> JsonArray::next() {
    if (m_finished) return std::nullopt;
    std::string text;
    bool tooLong = false;
    const End end = readElement(text, tooLong);
    ++m_element;
    m_finished = end != End::kComma;
    if (end == End::kFile) return RawRow{m_element, {}, "is cut off: the file ends within the array"};
    if (end == End::kBracket) {
        const RawRow rest = afterTheArray();
        if (!rest.problem.empty()) return rest;
        if (m_element == 1 && isBlank(text)) return std::nullopt; // []
    }
    return rowOf(m_element, std::move(text), tooLong);
}

RawRow JsonArray::afterTheArray() {
    for (std::string_view chunk = m_bytes.peek(); !chunk.empty(); chunk = m_bytes.peek()) {
        if (!isBlank(chunk)) return {m_element, {}, "is followed by more text than the array"};
        m_bytes.consume(chunk.size());
    }
    return {};
}

} // namespace roundpipe::data
