// Reads Parquet through the columnar library, which is loaded when the first such file is opened. Internal to this
// folder.
#pragma once

#include "data/files/row_source.h"

struct RpParquet;

namespace roundpipe::data {

// Not for several threads at once.
class ParquetRows final : public RowSource {
public:
    explicit ParquetRows(const std::filesystem::path& path); // throws kInvalidInput if it is damaged, kUnsupported, kIo

    int64_t numRows() const;
    void seek(int64_t row);                // next() then gives the row behind so many
    std::optional<RawRow> next() override; // where a row group is damaged, one row stands for all that are lost with it
    const char* unit() const override { return unitOf(FileKind::kParquet); }
    int64_t bytesRead() const override;

private:
    std::unique_ptr<RpParquet, void (*)(RpParquet*)> m_file;
};

} // namespace roundpipe::data
