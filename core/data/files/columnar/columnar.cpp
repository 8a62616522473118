#include "data/files/columnar/columnar.h"

#include "data/files/columnar/cell_json.h"

#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr int64_t kBatchRows = 256; // decoded at once; rows may be long

void report(char* error, int64_t errorSize, const std::string& text) {
    if (errorSize <= 0) return;
    const auto count = std::min<std::size_t>(text.size(), static_cast<std::size_t>(errorSize) - 1);
    std::memcpy(error, text.data(), count);
    error[count] = '\0';
}

// It becomes a part of our sentences, which end by themselves.
std::string withoutFullStop(std::string text) {
    while (text.ends_with('.'))
        text.pop_back();
    return text;
}

// Calls Arrow, which gives a status or throws, and gives what went wrong; empty: nothing.
template <class Action>
std::string problemOf(Action&& action) {
    try {
        const arrow::Status status = action();
        return status.ok() ? std::string() : withoutFullStop(status.message());
    } catch (const std::exception& failure) {
        return withoutFullStop(failure.what());
    }
}

} // namespace

struct RpParquet {
    std::unique_ptr<parquet::arrow::FileReader> reader;
    std::vector<int64_t> firstRowOfGroup; // and the number of all rows at the end
    std::vector<int64_t> bytesOfGroups;   // up to and without the group
    int64_t group = -1;                   // the one that `batches` reads
    std::unique_ptr<arrow::RecordBatchReader> batches;
    std::shared_ptr<arrow::RecordBatch> batch;
    int64_t firstRowOfBatch = 0;
    int64_t row = 0; // the next one to give out, from 0
    std::string text;

    int64_t numRows() const { return firstRowOfGroup.back(); }

    arrow::Status open(const std::string& path) {
        auto properties = parquet::default_reader_properties();
        properties.enable_buffered_stream(); // not a whole column of a row group at once
        parquet::ArrowReaderProperties arrowProperties;
        arrowProperties.set_batch_size(kBatchRows);
        arrowProperties.set_use_threads(false);
        arrowProperties.set_pre_buffer(false);
        parquet::arrow::FileReaderBuilder builder;
        ARROW_RETURN_NOT_OK(builder.OpenFile(path, false, properties));
        ARROW_ASSIGN_OR_RAISE(reader, builder.properties(arrowProperties)->Build());
        const auto metadata = reader->parquet_reader()->metadata();
        int64_t rows = 0, bytes = 0;
        for (int i = 0; i < metadata->num_row_groups(); ++i) {
            firstRowOfGroup.push_back(rows);
            bytesOfGroups.push_back(bytes);
            const int64_t inGroup = metadata->RowGroup(i)->num_rows();
            if (inGroup < 0) return arrow::Status::Invalid("a row group with fewer than no rows");
            rows += inGroup;
            bytes += std::max<int64_t>(0, metadata->RowGroup(i)->total_compressed_size());
        }
        firstRowOfGroup.push_back(rows);
        return arrow::Status::OK();
    }

    int64_t groupOf(int64_t wanted) const { // the last one that starts at or before it; empty ones have no row
        const auto after = std::upper_bound(firstRowOfGroup.begin(), firstRowOfGroup.end(), wanted);
        return after - firstRowOfGroup.begin() - 1;
    }

    // Brings `batch` to hold `row`.
    arrow::Status load() {
        const int64_t wanted = groupOf(row);
        if (group != wanted || row < firstRowOfBatch) {
            group = wanted;
            batch = nullptr;
            ARROW_ASSIGN_OR_RAISE(batches, reader->GetRecordBatchReader({static_cast<int>(group)}));
            firstRowOfBatch = firstRowOfGroup[static_cast<std::size_t>(group)];
        }
        while (batch == nullptr || row >= firstRowOfBatch + batch->num_rows()) {
            if (batch != nullptr) firstRowOfBatch += batch->num_rows();
            ARROW_RETURN_NOT_OK(batches->ReadNext(&batch));
            if (batch == nullptr) return arrow::Status::Invalid("the row group has fewer rows than it says");
        }
        return arrow::Status::OK();
    }

    int32_t next(RpParquetRow& into) {
        if (row >= numRows()) return 0;
        into = {row + 1, {}, 0};
        if (text = problemOf([&] { return load(); }); !text.empty()) {
            const int64_t end = firstRowOfGroup[static_cast<std::size_t>(groupOf(row)) + 1];
            into.numLost = end - row;
            row = end;
            group = -1; // what is left of its reader is not to be trusted
            return 3;
        }
        const int64_t inBatch = row++ - firstRowOfBatch;
        try {
            nlohmann::ordered_json object = nlohmann::ordered_json::object();
            for (int column = 0; column < batch->num_columns(); ++column) {
                const std::string& name = batch->schema()->field(column)->name();
                object[name] = roundpipe::columnar::cellJson(*batch->column(column), inBatch, name);
            }
            text = object.dump();
            return 1;
        } catch (const std::exception& bad) { // a cell, or a column's name, that is not UTF-8
            text = bad.what();
            return 2;
        }
    }
};

extern "C" {

RpParquet* rpParquetOpen(const char* path, char* error, int64_t errorSize) try {
    auto file = std::make_unique<RpParquet>();
    if (const std::string problem = problemOf([&] { return file->open(path); }); !problem.empty()) {
        report(error, errorSize, problem);
        return nullptr;
    }
    return file.release();
} catch (const std::exception& failure) {
    report(error, errorSize, failure.what());
    return nullptr;
}

int64_t rpParquetNumRows(const RpParquet* file) {
    return file->numRows();
}

void rpParquetSeek(RpParquet* file, int64_t row) {
    file->row = std::clamp<int64_t>(row, 0, file->numRows());
}

int32_t rpParquetNext(RpParquet* file, RpParquetRow* row) {
    const int32_t result = file->next(*row);
    row->json = {file->text.data(), static_cast<int64_t>(file->text.size())};
    return result;
}

int64_t rpParquetBytesRead(const RpParquet* file) {
    if (file->bytesOfGroups.empty() || file->row == 0) return 0;
    return file->bytesOfGroups[static_cast<std::size_t>(file->groupOf(file->row - 1))];
}

void rpParquetClose(RpParquet* file) {
    delete file;
}

} // extern "C"
