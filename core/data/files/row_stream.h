// A file's rows in chunks, with the format that they have. Internal to this folder.
#pragma once

#include "data/files/row_source.h"
#include "data/options.h"

#include <vector>

namespace roundpipe::data {

class RowStream {
public:
    // Of a format that is none that we know.
    enum class Unknown { kRefused, kKept };

    // kAuto: sniffed from the first rows.
    RowStream(const std::filesystem::path& file, RowFormat format, Unknown unknown = Unknown::kRefused);

    std::vector<RawRow> nextChunk(); // empty at the end; throws kUnsupported where the format is refused
    const RowFormat& format() const { return m_format; }   // kAuto while no row could be parsed
    const std::string& reason() const { return m_reason; } // of what was sniffed: "it has 'text'"
    const std::string& advice() const { return m_advice; } // what is wanted, where none was found
    const RowFile& file() const { return m_file; }
    const RowSource& source() const { return *m_source; }

private:
    void sniff(const std::vector<RawRow>& rows);

    RowFile m_file;
    std::unique_ptr<RowSource> m_source;
    RowFormat m_format;
    Unknown m_unknown;
    std::string m_reason, m_advice;
};

} // namespace roundpipe::data
