// SPDX-License-Identifier: GPL-3.0-or-later
// The format of a file's rows, found in the first ones that tell it. Internal to this folder.
#pragma once

#include "data/files/row_source.h"
#include "data/options.h"

#include <filesystem>
#include <span>
#include <string>

namespace roundpipe::data {

// Used by one thread.
class FormatSniffer {
public:
    FormatSniffer(RowFormat wanted, const RowFile& file); // kAuto: it is to be found

    void look(std::span<const RawRow> rows);                   // of no effect once the format is known
    const RowFormat& format() const { return m_format; }       // kAuto while no row has told it
    const session::Remark& reason() const { return m_reason; } // of what was found: "it has 'text'"
    const std::string& advice() const { return m_advice; }     // what is wanted, where rows have no format that we know
    const std::vector<session::ColumnChoice>& suggested() const { return m_suggested; } // then: what may be meant
    // Throws NothingUsable where rows were seen that can be read and have none that we know.
    void requireKnown(const std::filesystem::path& file) const;

private:
    void considerHeader(const std::string& json);

    RowFormat m_format;
    bool m_hasHeader; // a table's first record, which may have been a row
    session::Remark m_reason;
    std::string m_advice;
    std::vector<session::ColumnChoice> m_suggested;
};

} // namespace roundpipe::data
