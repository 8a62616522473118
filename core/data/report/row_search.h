// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the rows of a dataset in which a text stands, a piece at a time, from the first to the last.
#pragma once

#include "data/files/row_source.h"
#include "session/workbench.h"

#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::data {

// Whether a text stands in what a row says: in its strings and numbers, not in the names of its fields nor in how JSON
// spells things. Small and capital letters of A to Z are alike. Of a row that is no JSON, in its text or its problem.
class TextMatch {
public:
    explicit TextMatch(const std::string& text); // throws kInvalidInput where it is empty
    bool matches(const RawRow& row) const;

private:
    std::string m_text;  // in small letters
    std::string m_plain; // the longest part of it that every JSON spells alike
};

struct SearchedFile {
    SearchedFile(std::filesystem::path file, TableLayout layout = {}) : path(std::move(file)), table(layout) {}
    std::filesystem::path path;
    TableLayout table;
};

// Used by one thread. Goes on where the piece before ended, also in a compressed file; elsewhere it reads up to there.
class RowSearch {
public:
    RowSearch(std::vector<SearchedFile> files, const std::string& text);

    // Looks through rows for about a twentieth of a second. Files that cannot be read have no rows.
    session::SearchResult next(const std::stop_token& stop = {});
    const std::string& text() const { return m_text; }

private:
    bool openNext();

    std::vector<SearchedFile> m_files;
    std::string m_text;
    TextMatch m_match;
    std::unique_ptr<RowSource> m_source; // null: the next file is to be opened
    std::size_t m_file = 0;              // that is being read, or is next
    int64_t m_bytesBefore = 0, m_bytesOfAll = 0;
};

} // namespace roundpipe::data
