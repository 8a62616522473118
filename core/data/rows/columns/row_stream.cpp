// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/columns/row_stream.h"

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
    if (m_unknown == Unknown::kRefused) m_sniffer.requireKnown(m_file.path);
    return rows;
}

} // namespace roundpipe::data
