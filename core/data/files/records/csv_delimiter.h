// SPDX-License-Identifier: GPL-3.0-or-later
// Which character stands between a table's cells. Internal to this folder.
#pragma once

#include "data/files/records/byte_stream.h"

#include <filesystem>

namespace roundpipe::data {

// Commas, semicolons (as spreadsheets write them where the comma is the decimal sign), bars and tabs are tried on the
// first records: the one by which most of them have as many cells as the header, of two such the one with more cells;
// `usual` where none makes two columns. Throws kIo.
char sniffDelimiter(const std::filesystem::path& path, Compression compression, char usual);

// What a first line "sep=;", as Excel takes it, names, and consumes that line; '\0' where there is none.
char takeNamedDelimiter(ByteStream& bytes);

} // namespace roundpipe::data
