// Any row of a file, however large, while the file is still being indexed in the background.
#pragma once

#include "data/files/row_file.h"
#include "data/files/row_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::data {

struct IndexProgress {
    int64_t numRows = 0; // that the index has passed: those can be read
    double fraction = 0; // of the file's bytes
    bool isDone = false; // at the end, cancelled, or failed
    std::string problem; // why it failed; empty otherwise
};

// Opening reads the first bytes only. The index keeps one position every quarter of a mebibyte, so that it stays small
// (1 MB for a file of 12 GB) and any row is read by passing at most so much. Parquet has an index of its own: it is
// complete at once. Compressed files can only be streamed: reading a row decompresses all that stands before it, except
// that reading on from where the last call ended goes on there. Memory: a buffer or two, and the rows that are asked
// for.
//
// Any thread may call any function; rows() waits while another thread reads. The destructor stops the index.
class RowIndex {
public:
    // Throws what examineFile() throws, and what opening the file does.
    explicit RowIndex(const std::filesystem::path& path);
    ~RowIndex();
    RowIndex(const RowIndex&) = delete;
    RowIndex& operator=(const RowIndex&) = delete;

    const RowFile& file() const;
    bool isSeekable() const; // false: compressed, see above
    IndexProgress progress() const;
    void cancel();     // rows that were passed can still be read
    void wait() const; // until progress().isDone

    // Up to `count` rows from `first` (from 0): those that the index has passed, and the first thousand at any time.
    // Throws kIo.
    std::vector<RawRow> rows(int64_t first, int64_t count) const;

private:
    class Rows;
    class ScannedRows;
    class TableRows;
    std::unique_ptr<Rows> m_rows;
};

} // namespace roundpipe::data
