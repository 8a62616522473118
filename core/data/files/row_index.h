// SPDX-License-Identifier: GPL-3.0-or-later
// Random access to the rows of a file, however large: an index of positions, which a thread makes in the background
// while rows are already read.
#pragma once

#include "data/files/row_file.h"
#include "data/files/row_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace roundpipe::data {

struct IndexProgress {
    int64_t lastNumber = 0; // of the last row that the index has passed
    bool isDone = false;    // at the end, or where the file cannot be read any further: rows() says why
};

// Opening reads the first bytes only. The index keeps one position every quarter of a mebibyte, so that it stays small
// (half a megabyte for a file of 5 GB) and any row that it has passed is read by passing at most so much; what lies
// beyond is read on from there. Parquet has an index of its own: it is complete at once. Compressed files can only be
// streamed: reading a row decompresses all that stands before it, except that reading on from where the last call ended
// goes on there. Memory: a buffer or two, and the rows that are asked for.
//
// Any thread may call any function; rows() waits while another thread reads. The destructor stops the index.
class RowIndex {
public:
    // Throws what examineFile() throws, and what opening the file does.
    explicit RowIndex(const std::filesystem::path& path, const TableLayout& table = {});
    ~RowIndex();
    RowIndex(const RowIndex&) = delete;
    RowIndex& operator=(const RowIndex&) = delete;

    const RowFile& file() const;
    IndexProgress progress() const;

    // Up to `count` rows, from the one with that number on, or the next behind it where none has it (blank lines
    // count). Fewer at the end of the file, and once a stop is asked for. Throws kIo.
    std::vector<RawRow> rows(int64_t number, int64_t count, const std::stop_token& stop = {}) const;

private:
    class Rows;
    class ScannedRows;
    class TableRows;
    std::unique_ptr<Rows> m_rows;
};

} // namespace roundpipe::data
