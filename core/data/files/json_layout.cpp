// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/json_layout.h"

#include "data/files/records/json_nesting.h"

#include <algorithm>
#include <optional>

namespace roundpipe::data {
namespace {

constexpr std::string_view kWhitespace = " \t\r\n";

std::size_t behindBlanks(std::string_view text, std::size_t from) {
    return std::min(text.find_first_not_of(kWhitespace, from), text.size());
}

char at(std::string_view text, std::size_t position) {
    return position < text.size() ? text[position] : '\0';
}

// Behind the value that starts at `from`: at the comma or bracket that ends it, or at the end of the text.
std::size_t endOfValue(std::string_view text, std::size_t from) {
    JsonNesting nesting;
    std::size_t end = from;
    for (; end < text.size(); ++end) {
        const bool outside = nesting.depth() == 0 && !nesting.inString();
        if (outside && (text[end] == ',' || text[end] == '}' || text[end] == ']')) break;
        nesting.pass(text[end]);
    }
    return end;
}

// Where the object or list that starts the text ends, behind its bracket; nothing where it does not.
std::optional<std::size_t> endOfFirst(std::string_view text) {
    JsonNesting nesting;
    for (std::size_t i = 0; i < text.size(); ++i) {
        nesting.pass(text[i]);
        if (nesting.depth() == 0) return i + 1;
    }
    return std::nullopt;
}

bool namesRows(std::string_view key) {
    static constexpr std::string_view kKeys[] = {"data",  "rows",  "examples", "instances",
                                                 "items", "train", "records",  "samples"};
    return std::ranges::find(kKeys, key) != std::end(kKeys);
}

struct WrappedList {
    std::string key;
    std::size_t begin = 0; // behind its bracket
    bool hasOtherBefore = false;
};

// {"version": 1, "data": [{…
std::optional<WrappedList> wrappedList(std::string_view head) {
    bool hasOtherBefore = false;
    for (std::size_t i = behindBlanks(head, 1); at(head, i) == '"'; i = behindBlanks(head, i + 1)) {
        const std::size_t end = head.find('"', i + 1);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view key = head.substr(i + 1, end - i - 1);
        const std::size_t colon = behindBlanks(head, end + 1);
        if (at(head, colon) != ':') return std::nullopt;
        const std::size_t value = behindBlanks(head, colon + 1);
        if (at(head, value) == '[') {
            const char first = at(head, behindBlanks(head, value + 1));
            if (namesRows(key) && (first == '{' || first == '[' || first == ']'))
                return WrappedList{std::string(key), value + 1, hasOtherBefore};
            hasOtherBefore = hasOtherBefore || first == '{';
        }
        i = endOfValue(head, value);
        if (at(head, i) != ',') return std::nullopt;
    }
    return std::nullopt;
}

// Whether rows stand one on each line: the first one ends on its line, or was broken off there.
bool hasRowsOnLines(std::string_view head) {
    const std::size_t end = head.find('\n');
    const std::string_view line = head.substr(0, end);
    JsonNesting nesting;
    for (const char c : line)
        nesting.pass(c);
    const bool nextLineIsARow = end != std::string_view::npos && at(head, end + 1) == '{';
    return nesting.depth() <= 0 || nesting.inString() || nextLineIsARow;
}

// [{"role": …}, …] on a line, and another list on the next; or a line that is broken off, and a row on the next.
bool hasListsOnLines(std::string_view head) {
    const std::size_t line = std::min(head.find('\n'), head.size());
    const std::size_t last = head.find_last_not_of(" \t\r\n", line);
    if (last > 0 && last < line && head[last] != ',' && at(head, line + 1) == '{') return true;
    const auto end = endOfFirst(head);
    if (!end || head.substr(0, *end).find('\n') != std::string_view::npos) return false;
    const std::size_t next = behindBlanks(head, *end);
    return at(head, next) == '[' && head.substr(*end, next - *end).find('\n') != std::string_view::npos;
}

} // namespace

JsonLayout layoutOf(std::string_view head) {
    if (at(head, 0) == '[') {
        if (hasListsOnLines(head)) return {};
        return {FileKind::kJsonArray, 1, {}, false};
    }
    const auto end = endOfFirst(head);
    const bool othersFollow = end && at(head, behindBlanks(head, *end)) == '{';
    if (const auto list = othersFollow ? std::nullopt : wrappedList(head))
        return {FileKind::kJsonArray, list->begin, list->key, list->hasOtherBefore};
    return {hasRowsOnLines(head) ? FileKind::kJsonLines : FileKind::kJsonObjects, 0, {}, false};
}

} // namespace roundpipe::data
