// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file's rows in chunks and sniffs their format. Internal to this folder.
#pragma once

#include "data/rows/columns/format_sniffer.h"

#include <memory>
#include <string>
#include <vector>

namespace roundpipe::data {

class RowStream {
public:
    // Of a format that is none that we know.
    enum class Unknown { kRefused, kKept };

    // kAuto: sniffed from the first rows.
    RowStream(const std::filesystem::path& file, RowFormat format, Unknown unknown = Unknown::kRefused);

    std::vector<RawRow> nextChunk(); // empty at the end; throws kUnsupported where the format is refused
    const RowFormat& format() const { return m_sniffer.format(); } // kAuto while no row could be parsed
    const FormatSniffer& sniffer() const { return m_sniffer; }
    const RowFile& file() const { return m_file; }
    const RowSource& source() const { return *m_source; }

private:
    RowFile m_file;
    std::unique_ptr<RowSource> m_source;
    FormatSniffer m_sniffer;
    Unknown m_unknown;
};

} // namespace roundpipe::data
