// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar/columnar.h"

#include "data/files/columnar/arrow_table.h"
#include "data/files/columnar/parquet_table.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace {

void report(char* error, int64_t errorSize, const std::string& text) {
    if (errorSize <= 0) return;
    const auto count = std::min<std::size_t>(text.size(), static_cast<std::size_t>(errorSize) - 1);
    std::memcpy(error, text.data(), count);
    error[count] = '\0';
}

template <class Table>
RpTable* open(const char* path, char* error, int64_t errorSize) {
    std::unique_ptr<Table> table;
    const std::string problem = roundpipe::columnar::problemOf([&] {
        table = std::make_unique<Table>();
        return table->open(path);
    });
    if (problem.empty()) return table.release();
    report(error, errorSize, problem);
    return nullptr;
}

} // namespace

extern "C" {

RpTable* rpParquetOpen(const char* path, char* error, int64_t errorSize) {
    return open<roundpipe::columnar::ParquetTable>(path, error, errorSize);
}

RpTable* rpArrowOpen(const char* path, char* error, int64_t errorSize) {
    return open<roundpipe::columnar::ArrowTable>(path, error, errorSize);
}

int64_t rpTableNumRows(const RpTable* table) {
    return table->numRows();
}

void rpTableSeek(RpTable* table, int64_t row) {
    table->seek(row);
}

int32_t rpTableNext(RpTable* table, RpTableRow* row) {
    return table->next(*row);
}

int64_t rpTableBytesRead(const RpTable* table) {
    return table->bytesRead();
}

void rpTableClose(RpTable* table) {
    delete table;
}

} // extern "C"
