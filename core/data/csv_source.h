// CSV and TSV as rows, through libroundpipe_columnar. Internal to this folder; use openRows().
#pragma once

#include "data/row_source.h"

namespace roundpipe::data {

// Every record is an object of strings, keyed by the header. The first call loads the library (and Arrow with it);
// throws kUnsupported in words if that fails.
std::unique_ptr<RowSource> openCsv(const std::filesystem::path& path, char delimiter);

} // namespace roundpipe::data
