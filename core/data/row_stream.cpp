#include "data/row_stream.h"

#include "base/error.h"
#include "data/conversation.h"

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kChunkRows = 1024;
constexpr std::size_t kChunkBytes = 16 << 20;
constexpr int kRowsToSniff = 20;

} // namespace

RowStream::RowStream(const std::filesystem::path& file, Format format)
    : m_file(file), m_source(openRows(file)), m_format(format) {}

std::vector<RawRow> RowStream::nextChunk() {
    std::vector<RawRow> rows;
    std::size_t bytes = 0;
    while (rows.size() < kChunkRows && bytes < kChunkBytes) {
        auto row = m_source->next();
        if (!row) break;
        bytes += row->json.size();
        rows.push_back(std::move(*row));
    }
    if (m_format == Format::kAuto) sniff(rows);
    return rows;
}

void RowStream::sniff(const std::vector<RawRow>& rows) {
    int numUnknown = 0;
    std::string advice;
    for (const RawRow& row : rows) {
        if (!row.problem.empty() || m_format != Format::kAuto || numUnknown == kRowsToSniff) continue;
        try {
            std::string found;
            m_format = sniffFormat(parseRow(row.json), found);
            if (m_format == Format::kAuto && numUnknown++ == 0) advice = std::move(found);
        } catch (const RowProblem&) { // listed when it is encoded
        }
    }
    if (m_format == Format::kAuto && numUnknown > 0)
        throw unsupported(fmt::format("'{}' holds rows of a format that we do not know.", m_file.string()), advice);
}

} // namespace roundpipe::data
