// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file's rows in chunks and sniffs their format. Internal to this folder.
#pragma once

#include "data/rows/columns/format_sniffer.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

class RowStream {
public:
    // Of a format that is none that we know.
    enum class Unknown { kRefused, kKept };

    // kAuto: sniffed from the first rows.
    RowStream(const std::filesystem::path& file, RowFormat format, Unknown unknown = Unknown::kRefused);

    // Empty at the end. Where the format is refused, throws kInvalidInput if no row has a column that was named, else
    // NothingUsable.
    std::vector<RawRow> nextChunk();
    const RowFormat& format() const { return m_sniffer.format(); } // kAuto while no row could be parsed
    const FormatSniffer& sniffer() const { return m_sniffer; }
    const RowFile& file() const { return m_file; }
    const RowSource& source() const { return *m_source; }

private:
    void requireKnown(std::span<const RawRow> rows) const;

    RowFile m_file;
    std::unique_ptr<RowSource> m_source;
    FormatSniffer m_sniffer;
    Unknown m_unknown;
};

} // namespace roundpipe::data
