// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/row_stream.h"

#include "data/rows/columns/named_columns.h"

namespace roundpipe::data {
namespace {

constexpr std::size_t kChunkRows = 1024;
constexpr std::size_t kChunkBytes = 16 << 20;

} // namespace

RowStream::RowStream(const std::filesystem::path& file, RowFormat format, Unknown unknown)
    : m_file(examineFile(file, format.table))
    , m_source(openRows(m_file))
    , m_sniffer(std::move(format), m_file)
    , m_unknown(unknown) {}

std::vector<RawRow> RowStream::nextChunk() {
    std::vector<RawRow> rows;
    std::size_t bytes = 0;
    while (rows.size() < kChunkRows && bytes < kChunkBytes) {
        auto row = m_source->next();
        if (!row) break;
        bytes += row->json.size();
        rows.push_back(std::move(*row));
    }
    m_sniffer.look(rows);
    if (m_unknown == Unknown::kRefused) requireKnown(rows);
    return rows;
}

// Of a format that is unknown for want of a column that was named, this is said, as where the format is known.
void RowStream::requireKnown(std::span<const RawRow> rows) const {
    if (m_sniffer.format().kind == DataFormat::kAuto && !m_sniffer.advice().empty()) {
        NamedColumns named(m_sniffer.format());
        named.look(rows);
        named.require(m_file.path);
    }
    m_sniffer.requireKnown(m_file.path);
}

} // namespace roundpipe::data
