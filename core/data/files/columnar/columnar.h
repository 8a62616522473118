// SPDX-License-Identifier: GPL-3.0-or-later
/* The C ABI of libroundpipe_columnar.so, which reads Parquet and Arrow files through Arrow. Arrow is over 100 MB and
   absent on some machines, so the library is opened with dlopen when the first such file is; nothing of Arrow or of C++
   crosses this border. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RpTable RpTable;

typedef struct RpRowText {
    const char* data; /* not zero-terminated; valid until the next call on the same file */
    int64_t size;
} RpRowText;

typedef struct RpTableRow {
    int64_t number;  /* of the row, from 1 */
    RpRowText json;  /* an object: a member per column; or why there is none */
    int64_t numLost; /* rows from `number` on that are lost with this one */
} RpTableRow;

/* Null on failure; `error` (of `errorSize` bytes) then says why. One thread at a time per file. */
RpTable* rpParquetOpen(const char* path, char* error, int64_t errorSize);
RpTable* rpArrowOpen(const char* path, char* error, int64_t errorSize); /* Arrow's IPC format, as a file or a stream */
int64_t rpTableNumRows(const RpTable* table);
/* Lets rpTableNext() go on behind the first `row` rows. Cheap: nothing is read before the next row is. */
void rpTableSeek(RpTable* table, int64_t row);
/* 1: a row. 2: a row that cannot be used. 3: `numLost` rows that cannot be read. 0: the end. */
int32_t rpTableNext(RpTable* table, RpTableRow* row);
int64_t rpTableBytesRead(const RpTable* table); /* roughly, for progress */
void rpTableClose(RpTable* table);

#ifdef __cplusplus
}
#endif
