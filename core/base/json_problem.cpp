// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_problem.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace roundpipe {
namespace {

constexpr std::size_t kShownCharacters = 12; // of what stands where something else should

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool continuesCharacter(char c) { // of UTF-8
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Follows the grammar of RFC 8259 from one token to the next, without recursion.
class JsonScan {
public:
    JsonScan(std::string_view text, bool comments) : m_text(text), m_comments(comments) {}

    std::optional<JsonProblem> run() {
        if (m_text.starts_with("\xEF\xBB\xBF")) m_at = 3;
        do {
            if (!value()) return m_problem;
        } while (!m_open.empty());
        skipSpace();
        if (m_at < m_text.size()) fail(JsonFault::kMore);
        return m_problem;
    }

private:
    bool fail(JsonFault fault) {
        const bool isEnd = m_at >= m_text.size() && fault != JsonFault::kEmpty;
        JsonProblem& problem = m_problem.emplace();
        problem.fault = isEnd ? JsonFault::kEndsEarly : isAtComment() ? JsonFault::kComment : fault;
        const std::string_view before = m_text.substr(0, m_at);
        const auto begins = [](char c) { return !continuesCharacter(c); };
        problem.character = 1 + std::ranges::count_if(before, begins);
        problem.line = 1 + std::ranges::count(before, '\n');
        const std::string_view line = before.substr(before.rfind('\n') + 1);
        problem.column = 1 + std::ranges::count_if(line, begins);
        problem.found = found();
        return false;
    }

    bool isAtComment() const { // that is not taken
        const std::string_view rest = m_text.substr(std::min(m_at, m_text.size()));
        return !m_comments && (rest.starts_with("//") || rest.starts_with("/*"));
    }

    std::string found() const {
        if (m_at >= m_text.size()) return {};
        if (isAtComment()) return "'" + std::string(m_text.substr(m_at, 2)) + "'";
        const auto first = static_cast<unsigned char>(m_text[m_at]);
        if (first < 0x20 || first == 0x7F) {
            char hex[16];
            std::snprintf(hex, sizeof hex, "0x%02x", first);
            return hex;
        }
        const auto isWord = [](char c) { return c == '_' || static_cast<unsigned char>(c) >= 0x80 || std::isalnum(c); };
        std::size_t end = m_at + 1;
        std::size_t characters = 1;
        for (; end < m_text.size(); ++end) { // a word whole, as far as it is shown; else one character
            if (continuesCharacter(m_text[end])) continue;
            if (!isWord(m_text[m_at]) || !isWord(m_text[end]) || characters == kShownCharacters) break;
            ++characters;
        }
        const bool cut = characters == kShownCharacters && end < m_text.size() && isWord(m_text[end]);
        return "'" + std::string(m_text.substr(m_at, end - m_at)) + (cut ? "…'" : "'");
    }

    bool at(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }

    void skipSpace() {
        while (m_at < m_text.size()) {
            const std::string_view rest = m_text.substr(m_at);
            if (isSpace(rest.front()))
                ++m_at;
            else if (m_comments && rest.starts_with("//"))
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            else if (!m_comments || !rest.starts_with("/*"))
                return;
            else if (const std::size_t end = rest.find("*/", 2); end != std::string_view::npos)
                m_at += end + 2;
            else
                return;
        }
    }

    // A value with the commas and brackets behind it, or the beginning of a list or object.
    bool value() {
        skipSpace();
        if (at('{') || at('[')) {
            m_open.push_back(m_text[m_at++]);
            skipSpace();
            if (!at(m_open.back() == '{' ? '}' : ']')) return m_open.back() == '[' || name();
        } else if (!scalar()) {
            return false;
        }
        return close();
    }

    // What follows a value, up to where the next one begins.
    bool close() {
        while (!m_open.empty()) {
            const bool inObject = m_open.back() == '{';
            skipSpace();
            if (at(inObject ? '}' : ']')) {
                ++m_at;
                m_open.pop_back();
                continue;
            }
            if (!at(',')) return fail(inObject ? JsonFault::kNoComma : JsonFault::kNoCommaInList);
            ++m_at;
            return !inObject || name();
        }
        return true;
    }

    bool name() {
        skipSpace();
        if (!at('"')) return fail(JsonFault::kNoName);
        if (!quoted()) return false;
        skipSpace();
        if (!at(':')) return fail(JsonFault::kNoColon);
        ++m_at;
        return true;
    }

    bool scalar() {
        if (at('"')) return quoted();
        for (const std::string_view word : {"true", "false", "null"})
            if (m_text.substr(m_at).starts_with(word)) {
                m_at += word.size();
                return true;
            }
        const std::size_t end = endOfNumber();
        if (end == m_at) return fail(m_open.empty() && m_at == m_text.size() ? JsonFault::kEmpty : JsonFault::kNoValue);
        if (!std::isfinite(std::strtod(std::string(m_text.substr(m_at, end - m_at)).c_str(), nullptr)))
            return fail(JsonFault::kNumber);
        m_at = end;
        return true;
    }

    std::size_t behindDigits(std::size_t begin) const {
        return std::min(m_text.find_first_not_of("0123456789", begin), m_text.size());
    }

    // Of the longest number that begins here; here where none does.
    std::size_t endOfNumber() const {
        const std::size_t digits = m_at + (at('-') ? 1 : 0);
        std::size_t end = behindDigits(digits);
        if (end == digits) return m_at;
        if (m_text[digits] == '0') end = digits + 1;
        for (const std::string_view mark : {".", "eE"}) {
            if (end == m_text.size() || mark.find(m_text[end]) == std::string_view::npos) continue;
            std::size_t begin = end + 1;
            if (mark != "." && begin < m_text.size() && (m_text[begin] == '+' || m_text[begin] == '-')) ++begin;
            if (behindDigits(begin) > begin) end = behindDigits(begin);
        }
        return end;
    }

    // Four hexadecimal digits behind "\u"; nothing where there are fewer.
    std::optional<int> codeUnit(std::size_t at) const {
        const std::string_view digits = m_text.substr(std::min(at, m_text.size()), 4);
        if (digits.size() < 4 || !std::ranges::all_of(digits, isHexDigit)) return std::nullopt;
        return static_cast<int>(std::strtol(std::string(digits).c_str(), nullptr, 16));
    }

    bool escaped() {
        constexpr std::string_view kSimple = "\"\\/bfnrt";
        const char c = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
        if (kSimple.find(c) != std::string_view::npos) {
            m_at += 2;
            return true;
        }
        const std::optional<int> unit = c == 'u' ? codeUnit(m_at + 2) : std::nullopt;
        const auto isLow = [](std::optional<int> code) { return code && *code >= 0xDC00 && *code <= 0xDFFF; };
        if (!unit || isLow(unit)) return fail(JsonFault::kEscape);
        m_at += 6;
        if (*unit < 0xD800 || *unit > 0xDFFF) return true;
        if (m_text.substr(m_at).starts_with("\\u") && isLow(codeUnit(m_at + 2))) { // the other half of a character
            m_at += 6;
            return true;
        }
        m_at -= 6;
        return fail(JsonFault::kEscape);
    }

    bool quoted() {
        for (++m_at; m_at < m_text.size();) {
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (c == '\\') {
                if (!escaped()) return false;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                return fail(JsonFault::kUnquotable);
            } else {
                ++m_at;
            }
        }
        return fail(JsonFault::kEndsEarly);
    }

    std::string_view m_text;
    bool m_comments;
    std::size_t m_at = 0;
    std::vector<char> m_open; // brackets around
    std::optional<JsonProblem> m_problem;
};

const char* sentenceOf(JsonFault fault) {
    switch (fault) {
    case JsonFault::kEmpty:
        return "there is nothing";
    case JsonFault::kEndsEarly:
        return "the text ends before a bracket or a quote is closed";
    case JsonFault::kNoValue:
        return " stands where a value should begin";
    case JsonFault::kNoName:
        return " stands where a field's name in double quotes should";
    case JsonFault::kNoColon:
        return " stands where a ':' should follow the field's name";
    case JsonFault::kNoComma:
        return " stands where a ',' or a '}' should";
    case JsonFault::kNoCommaInList:
        return " stands where a ',' or a ']' should";
    case JsonFault::kMore:
        return " stands behind the end";
    case JsonFault::kUnquotable:
        return " stands within quotes, where it has to be written with a backslash (\\n, \\t)";
    case JsonFault::kEscape:
        return " begins an escape that JSON does not have";
    case JsonFault::kNumber:
        return " begins a number that is too large";
    case JsonFault::kComment:
        return " begins a comment, which JSON does not have";
    }
    return "";
}

} // namespace

std::string JsonProblem::text() const {
    return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + found + sentenceOf(fault);
}

std::optional<JsonProblem> findJsonProblem(std::string_view text, bool comments) {
    return JsonScan(text, comments).run();
}

bool isNestedDeeper(std::string_view json, int most) {
    int depth = 0;
    bool isQuoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (isQuoted && c == '\\')
            ++i;
        else if (c == '"')
            isQuoted = !isQuoted;
        else if (!isQuoted && (c == '[' || c == '{') && ++depth > most)
            return true;
        else if (!isQuoted && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

std::string wordsForJsonError(int number, std::string_view message, std::string_view text) {
    constexpr int kMissingKey = 403, kOtherType = 302;
    if (const std::optional<JsonProblem> problem = findJsonProblem(text)) return problem->text();
    const auto behind = [&](std::string_view mark) {
        const std::size_t begin = message.find(mark);
        return begin == std::string_view::npos ? std::string() : std::string(message.substr(begin + mark.size()));
    };
    if (const std::string key = behind("key '"); number == kMissingKey && !key.empty())
        return "it has no field '" + key.substr(0, key.rfind('\'')) + "'";
    if (const std::string types = behind("type must be "); number == kOtherType && !types.empty())
        return "a field must be " + types; // "a field must be number, but is string"
    return "it is not as it should be";
}

} // namespace roundpipe
