// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar/parquet_table.h"

#include <arrow/io/file.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <algorithm>

namespace roundpipe::columnar {

arrow::Status ParquetTable::open(const std::string& path) {
    constexpr int64_t kBatchRows = 256; // decoded at once; rows may be long
    ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::ReadableFile::Open(path));
    ARROW_ASSIGN_OR_RAISE(const int64_t size, file->GetSize());
    limitMemory(size);
    parquet::ReaderProperties properties(memory());
    properties.enable_buffered_stream(); // not a whole column of a row group at once
    parquet::ArrowReaderProperties arrowProperties;
    arrowProperties.set_batch_size(kBatchRows);
    arrowProperties.set_use_threads(false);
    arrowProperties.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    ARROW_RETURN_NOT_OK(builder.Open(file, properties));
    ARROW_ASSIGN_OR_RAISE(m_reader, builder.memory_pool(memory())->properties(arrowProperties)->Build());
    const auto metadata = m_reader->parquet_reader()->metadata();
    for (int i = 0; i < metadata->num_row_groups(); ++i) {
        const auto group = metadata->RowGroup(i);
        if (group->num_rows() < 0) return arrow::Status::Invalid("a row group with fewer than no rows");
        addGroup(group->num_rows(), std::max<int64_t>(0, group->total_compressed_size()));
    }
    return arrow::Status::OK();
}

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> ParquetTable::openGroup(std::size_t group) {
    return m_reader->GetRecordBatchReader({static_cast<int>(group)});
}

} // namespace roundpipe::columnar
