/* The C ABI of libroundpipe_columnar.so, which reads CSV through Arrow. Arrow is over 100 MB and absent on some
   machines, so the library is opened with dlopen when the first CSV is; nothing of Arrow or of C++ crosses this border.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RpCsv RpCsv;

typedef struct RpCell {
    const char* data; /* not zero-terminated; valid until the next call on the same file */
    int64_t size;
} RpCell;

/* Null on failure; `error` (of `errorSize` bytes) then says why. One thread at a time per file. */
RpCsv* rpCsvOpen(const char* path, char delimiter, char* error, int64_t errorSize);
int64_t rpCsvNumColumns(const RpCsv* csv);
RpCell rpCsvColumnName(const RpCsv* csv, int64_t column);
/* 1: a record; `number` (from 1, the header not counted) and `cells` are set. 2: a record with a wrong number of
   columns; only `number` is set. 0: the end. -1: the file is damaged from here on; `error` says how. */
int32_t rpCsvNext(RpCsv* csv, int64_t* number, RpCell* cells, char* error, int64_t errorSize);
int64_t rpCsvBytesRead(const RpCsv* csv);
void rpCsvClose(RpCsv* csv);

#ifdef __cplusplus
}
#endif
