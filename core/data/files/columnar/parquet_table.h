// SPDX-License-Identifier: GPL-3.0-or-later
// Parquet: its row groups.
#pragma once

#include "data/files/columnar/table.h"

#include <parquet/arrow/reader.h>

#include <memory>
#include <string>

namespace roundpipe::columnar {

class ParquetTable final : public RpTable {
public:
    arrow::Status open(const std::string& path);

private:
    arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> openGroup(std::size_t group) override;

    std::unique_ptr<parquet::arrow::FileReader> m_reader;
};

} // namespace roundpipe::columnar
