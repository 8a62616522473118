// A file's rows in chunks, with the format that they have. Internal to this folder.
#pragma once

#include "data/options.h"
#include "data/row_source.h"

#include <vector>

namespace roundpipe::data {

class RowStream {
public:
    RowStream(const std::filesystem::path& file, Format format); // kAuto: sniffed from the first rows

    std::vector<RawRow> nextChunk(); // empty at the end; throws kUnsupported where the format is none that we know
    Format format() const { return m_format; } // kAuto while no row could be parsed
    const RowSource& source() const { return *m_source; }

private:
    void sniff(const std::vector<RawRow>& rows);

    std::filesystem::path m_file;
    std::unique_ptr<RowSource> m_source;
    Format m_format;
};

} // namespace roundpipe::data
