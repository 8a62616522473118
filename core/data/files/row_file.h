// SPDX-License-Identifier: GPL-3.0-or-later
// What a data file is, found out from its name and its first bytes, before any row is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::data {

enum class Compression;

enum class FileKind { kJsonLines, kJsonArray, kJsonObjects, kCsv, kTsv, kParquet, kArrow, kText };
const char* toString(FileKind kind); // "JSONL", "JSON array", …
const char*
unitOf(FileKind kind); // what its rows' numbers count: "line", "element", "object", "record", "row" or "passage"

bool isColumnar(FileKind kind); // Parquet or Arrow, which are read through columnar/

struct RowFile {
    std::filesystem::path path;
    FileKind kind = FileKind::kJsonLines;
    Compression compression{};        // Parquet and Arrow have their own, inside
    std::vector<std::string> columns; // of CSV and TSV: their header
    char delimiter = ',';             // and what stands between their cells
    std::string listKey;              // of a JSON array: its key in the object around it ("data"); empty: it is alone
    bool hasListBefore = false;       // that object has another list of objects before it
    int64_t firstRowOffset = 0;       // where the first row may start, among the decompressed bytes
};

// How a CSV or TSV is written, as far as somebody has said it.
struct TableLayout {
    char delimiter = '\0'; // between cells; '\0': found out
    bool hasHeader = true; // the first record names the columns; else they are "column 1", "column 2", …
};

// Throws kIo if the file cannot be read, kUnsupported for another kind of file (saying what can be read), kInvalidInput
// if it is empty, not UTF-8 at all, or has a header that cannot be used.
RowFile examineFile(const std::filesystem::path& path, const TableLayout& table = {});

// By the ending alone, as folders are listed.
bool hasRowEnding(const std::filesystem::path& path);  // .jsonl, .csv.gz, .parquet, …
bool hasTextEnding(const std::filesystem::path& path); // .txt, .md.zst, …

} // namespace roundpipe::data
