// SPDX-License-Identifier: GPL-3.0-or-later
// Reads Parquet and Arrow files through the columnar library, which is loaded when the first such file is opened.
// Internal to this folder.
#pragma once

#include "data/files/row_source.h"

struct RpTable;

namespace roundpipe::data {

// Not for several threads at once.
class ColumnarRows final : public RowSource {
public:
    // `kind`: kParquet or kArrow. Throws kInvalidInput if it is damaged, kUnsupported, kIo.
    ColumnarRows(const std::filesystem::path& path, FileKind kind);

    int64_t numRows() const;
    void seek(int64_t row);                // next() then gives the row behind so many
    std::optional<RawRow> next() override; // where a group is damaged, one row stands for all that are lost with it
    const char* unit() const override { return unitOf(m_kind); }
    int64_t bytesRead() const override;

private:
    FileKind m_kind;
    std::unique_ptr<RpTable, void (*)(RpTable*)> m_file;
};

} // namespace roundpipe::data
