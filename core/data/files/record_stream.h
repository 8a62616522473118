// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file's records one after another: from its first one, or on from a known position. Internal to this folder.
#pragma once

#include "data/files/records/record_reader.h"
#include "data/files/row_file.h"
#include "data/files/row_source.h"

#include <memory>

namespace roundpipe::data {

// Where reading starts: at a record's first byte, with so many lines, elements or records before it.
struct RecordStart {
    int64_t offset = 0;
    int64_t numBefore = 0;
};
inline RecordStart firstRecord(const RowFile& file) {
    return {file.firstRowOffset, 0};
}

// Not for Parquet; not for several threads at once.
class RecordStream {
public:
    // What is compressed is decompressed up to `start`.
    RecordStream(const RowFile& file, const RecordStart& start);

    // False at the end. Where compressed data are damaged the last record says so.
    bool next(FileRecord& record);
    int64_t fileBytesRead() const { return m_bytes.fileBytesRead(); }
    int64_t offset() const { return m_bytes.offset(); } // of the next byte, among the decompressed ones

private:
    ByteStream m_bytes;
    std::unique_ptr<RecordReader> m_records;
    int64_t m_lastNumber;
    bool m_ended = false;
};

// The record as one JSON value: UTF-8 and zeros checked, cells named by the header's columns. `file` is the record's.
RawRow rowOf(const RowFile& file, FileRecord record);

} // namespace roundpipe::data
