/* The C ABI of libroundpipe_columnar.so, which reads Parquet through Arrow. Arrow is over 100 MB and absent on some
   machines, so the library is opened with dlopen when the first Parquet file is; nothing of Arrow or of C++ crosses
   this border. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RpParquet RpParquet;

typedef struct RpRowText {
    const char* data; /* not zero-terminated; valid until the next call on the same file */
    int64_t size;
} RpRowText;

typedef struct RpParquetRow {
    int64_t number;  /* of the row, from 1 */
    RpRowText json;  /* an object: a member per column; or why there is none */
    int64_t numLost; /* rows from `number` on that are lost with this one */
} RpParquetRow;

/* Null on failure; `error` (of `errorSize` bytes) then says why. One thread at a time per file. */
RpParquet* rpParquetOpen(const char* path, char* error, int64_t errorSize);
int64_t rpParquetNumRows(const RpParquet* file);
/* Lets rpParquetNext() go on behind the first `row` rows. Cheap: nothing is read before the next row is. */
void rpParquetSeek(RpParquet* file, int64_t row);
/* 1: a row. 2: a row that cannot be used. 3: `numLost` rows that cannot be read. 0: the end. */
int32_t rpParquetNext(RpParquet* file, RpParquetRow* row);
int64_t rpParquetBytesRead(const RpParquet* file); /* roughly, for progress */
void rpParquetClose(RpParquet* file);

#ifdef __cplusplus
}
#endif
