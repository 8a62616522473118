// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/row_search.h"

#include "base/error.h"
#include "data/rows/json/json_text.h"
#include "data/rows/json/long_number.h"
#include "data/rows/json/row_json.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace roundpipe::data {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPieceTime{50};

char small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string inSmallLetters(std::string text) {
    std::ranges::transform(text, text.begin(), small);
    return text;
}

// `wanted` is in small letters.
bool contains(std::string_view text, std::string_view wanted) {
    return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(),
                       [](char a, char b) { return small(a) == b; }) != text.end();
}

// No writer of JSON escapes letters, digits and blanks of ASCII.
bool isSpeltAlike(char c) {
    return c == ' ' || (c >= '0' && c <= '9') || (small(c) >= 'a' && small(c) <= 'z');
}

std::string longestPlainPart(const std::string& text) {
    std::string best, part;
    for (const char c : text) {
        if (isSpeltAlike(c))
            part += c;
        else
            part.clear();
        if (part.size() > best.size()) best = part;
    }
    return best;
}

bool saysIn(const Json& value, const std::string& wanted) {
    if (value.is_string()) return contains(value.get_ref<const std::string&>(), wanted);
    if (value.is_structured())
        return std::ranges::any_of(value, [&](const Json& inner) { return saysIn(inner, wanted); });
    return isNumber(value) && contains(jsonText(value), wanted);
}

int64_t sizeOf(const std::filesystem::path& path) {
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    return none ? 0 : static_cast<int64_t>(size);
}

} // namespace

TextMatch::TextMatch(const std::string& text) : m_text(inSmallLetters(text)), m_plain(longestPlainPart(m_text)) {
    if (text.empty()) throw invalidInput("Nothing is searched for.", "Give a text to find.");
}

// What stands nowhere in the row's own letters is not looked for further: parsing costs ten times as much.
bool TextMatch::matches(const RawRow& row) const {
    if (!row.problem.empty()) return contains(row.problem.text(), m_text);
    if (!m_plain.empty() && !contains(row.json, m_plain)) return false;
    const Json parsed = parseAny(row.json);
    return parsed.is_discarded() ? contains(row.json, m_text) : saysIn(parsed, m_text);
}

RowSearch::RowSearch(std::vector<SearchedFile> files, const std::string& text)
    : m_files(std::move(files)), m_text(text), m_match(text) {
    for (const SearchedFile& file : m_files)
        m_bytesOfAll += sizeOf(file.path);
}

// False behind the last file.
bool RowSearch::openNext() {
    for (; m_file < m_files.size(); ++m_file)
        try {
            m_source = openRows(m_files[m_file].path, m_files[m_file].table);
            return true;
        } catch (const Error&) { // the list of files says why
            m_bytesBefore += sizeOf(m_files[m_file].path);
        }
    return false;
}

session::SearchResult RowSearch::next(const std::stop_token& stop) {
    session::SearchResult result;
    const auto end = Clock::now() + kPieceTime;
    do {
        if (m_source == nullptr && !openNext()) {
            result.isDone = true;
            break;
        }
        std::optional<RawRow> row;
        try {
            row = m_source->next();
        } catch (const Error&) { // unreadable from here on, which the report says too
        }
        if (row) {
            if (m_match.matches(*row)) result.rows.push_back({static_cast<int32_t>(m_file), row->number});
            continue;
        }
        m_bytesBefore += sizeOf(m_files[m_file++].path);
        m_source.reset();
    } while (Clock::now() < end && !stop.stop_requested());
    const int64_t read = m_bytesBefore + (m_source ? m_source->bytesRead() : 0);
    result.fraction =
        m_bytesOfAll > 0 ? std::min(1.0, static_cast<double>(read) / static_cast<double>(m_bytesOfAll)) : 1;
    return result;
}

} // namespace roundpipe::data
