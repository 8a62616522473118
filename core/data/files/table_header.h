// SPDX-License-Identifier: GPL-3.0-or-later
// What the first record of a CSV or TSV tells of all: the delimiter and the columns. Internal to this folder.
#pragma once

#include "data/files/records/byte_stream.h"
#include "data/files/row_file.h"

namespace roundpipe::data {

// Fills `file.delimiter`, `file.columns` and `file.firstRowOffset`. `bytes` stands at the file's start, behind a
// byte-order mark. Throws kInvalidInput where there is no record, or the header cannot be used.
void readTableHeader(ByteStream& bytes, const TableLayout& table, RowFile& file);

} // namespace roundpipe::data
