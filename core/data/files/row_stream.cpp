#include "data/files/row_stream.h"

#include "base/error.h"
#include "data/rows/row_format.h"
#include "data/rows/row_problem.h"

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kChunkRows = 1024;
constexpr std::size_t kChunkBytes = 16 << 20;
constexpr int kRowsToSniff = 20;

} // namespace

RowStream::RowStream(const std::filesystem::path& file, RowFormat format, Unknown unknown)
    : m_file(examineFile(file)), m_source(openRows(m_file)), m_format(std::move(format)), m_unknown(unknown) {}

std::vector<RawRow> RowStream::nextChunk() {
    std::vector<RawRow> rows;
    std::size_t bytes = 0;
    while (rows.size() < kChunkRows && bytes < kChunkBytes) {
        auto row = m_source->next();
        if (!row) break;
        bytes += row->json.size();
        rows.push_back(std::move(*row));
    }
    if (m_format.kind == DataFormat::kAuto) sniff(rows);
    return rows;
}

void RowStream::sniff(const std::vector<RawRow>& rows) {
    int numUnknown = 0;
    for (const RawRow& row : rows) {
        if (!row.problem.empty() || m_format.kind != DataFormat::kAuto || numUnknown == kRowsToSniff) continue;
        try {
            SniffedFormat found = sniffFormat(parseRow(row.json), m_format.columns);
            if (found.format.kind == DataFormat::kAuto) {
                if (numUnknown++ == 0) m_advice = std::move(found.advice);
                continue;
            }
            m_format = std::move(found.format);
            m_reason = std::move(found.reason);
        } catch (const RowProblem&) { // listed when it is encoded
        }
    }
    if (m_format.kind == DataFormat::kAuto && numUnknown > 0 && m_unknown == Unknown::kRefused)
        throw unsupported(fmt::format("'{}' holds rows of a format that we do not know.", m_file.path.string()),
                          m_advice);
}

} // namespace roundpipe::data
