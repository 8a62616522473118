// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_source.h"

#include "data/files/columnar_rows.h"
#include "data/files/record_stream.h"

namespace roundpipe::data {
namespace {

// Rows of anything that is cut into records first.
class RecordSource final : public RowSource {
public:
    explicit RecordSource(const RowFile& file) : m_file(file), m_records(file, firstRecord(file)) {}

    std::optional<RawRow> next() override {
        FileRecord record;
        if (!m_records.next(record)) return std::nullopt;
        return rowOf(m_file, std::move(record));
    }
    const char* unit() const override { return unitOf(m_file.kind); }
    int64_t bytesRead() const override { return m_records.fileBytesRead(); }

private:
    RowFile m_file;
    RecordStream m_records;
};

} // namespace

std::unique_ptr<RowSource> openRows(const RowFile& file) {
    if (isColumnar(file.kind)) return std::make_unique<ColumnarRows>(file.path, file.kind);
    return std::make_unique<RecordSource>(file);
}

std::unique_ptr<RowSource> openRows(const std::filesystem::path& path, const TableLayout& table) {
    return openRows(examineFile(path, table));
}

} // namespace roundpipe::data
