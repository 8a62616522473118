// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of rows, one for each kind of file: JSON lines, a JSON array, CSV, TSV, Parquet, plain text; compressed or
// not. A row is the text of one JSON value; of JSON nothing is parsed beyond finding where it ends, so a bad row costs
// that row only.
#pragma once

#include "data/files/row_file.h"
#include "session/row_remark.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace roundpipe::data {

struct RawRow {
    int64_t number = 0;      // as people count: the line of a JSONL file, the element of an array, the record of a CSV
    std::string json;        // valid UTF-8; empty where there is a problem
    session::Remark problem; // why the row cannot be used; empty when it can
};

// One file, read once from start to end. Not for several threads at once.
class RowSource {
public:
    virtual ~RowSource() = default;
    virtual std::optional<RawRow> next() = 0; // nothing at the end; throws kIo
    virtual const char* unit() const = 0;     // what `number` counts: "line", "element", "record", "row" or "passage"
    virtual int64_t bytesRead() const = 0;    // of the file, roughly: for progress
};

// Throws kIo if it cannot be read, and what examineFile() throws.
std::unique_ptr<RowSource> openRows(const RowFile& file);
std::unique_ptr<RowSource> openRows(const std::filesystem::path& path, const TableLayout& table = {});

} // namespace roundpipe::data
