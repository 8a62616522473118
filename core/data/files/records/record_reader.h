// SPDX-License-Identifier: GPL-3.0-or-later
// The interface of the cutters, which split a file into records: the one place that both reading and indexing go by.
// Internal to this folder.
#pragma once

#include "data/files/records/byte_stream.h"
#include "session/row_remark.h"

#include <cstdint>
#include <string>

namespace roundpipe::data {

// A longer row is a damaged file (a missing line end, an open quote) rather than an example.
inline constexpr std::size_t kMaxRowBytes = std::size_t{64} << 20;

struct FileRecord {
    int64_t number = 0;    // as people count: the line of a JSONL file, the element of an array, the record of a CSV
    int64_t offset = 0;    // of its first byte, among the decompressed ones
    std::string text = {}; // not checked; empty where there is a problem
    session::Remark problem = {}; // why there is no text ("is longer than 64 MiB"); empty when there is
    bool endedByFile = false;     // by no line end or the like: it may be half a record where the file is cut off
    bool continues = false;       // of plain text: the same document goes on in the next record
};

// Not for several threads at once.
class RecordReader {
public:
    virtual ~RecordReader() = default;
    virtual bool next(FileRecord& record) = 0; // false at the end; throws kIo
};

} // namespace roundpipe::data
