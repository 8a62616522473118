// The only file that sees Arrow.
#include "data/columnar/columnar.h"

#include <arrow/array.h>
#include <arrow/csv/api.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr int32_t kBlockBytes = 16 << 20; // a record cannot be longer

void report(char* error, int64_t errorSize, const std::string& text) {
    if (errorSize <= 0) return;
    const auto count = std::min<std::size_t>(text.size(), static_cast<std::size_t>(errorSize) - 1);
    std::memcpy(error, text.data(), count);
    error[count] = '\0';
}

arrow::csv::ReadOptions readOptions() {
    auto options = arrow::csv::ReadOptions::Defaults();
    options.use_threads = false; // records are numbered in order
    options.block_size = kBlockBytes;
    return options;
}

} // namespace

struct RpCsv {
    std::vector<std::string> names;
    std::shared_ptr<arrow::csv::StreamingReader> reader;
    std::shared_ptr<arrow::RecordBatch> batch;
    int64_t rowOfBatch = 0;
    int64_t record = 0;          // the last one given out
    std::deque<int64_t> skipped; // numbers of records with a wrong number of columns, ascending

    arrow::csv::ParseOptions parseOptions(char delimiter) {
        auto options = arrow::csv::ParseOptions::Defaults();
        options.delimiter = delimiter;
        options.newlines_in_values = true;
        options.invalid_row_handler = [this](const arrow::csv::InvalidRow& row) {
            skipped.push_back(row.number - 1); // Arrow counts the header
            return arrow::csv::InvalidRowResult::Skip;
        };
        return options;
    }

    arrow::Status makeReader(const std::string& path, char delimiter, const arrow::csv::ConvertOptions& convert) {
        skipped.clear();
        ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path));
        ARROW_ASSIGN_OR_RAISE(reader,
                              arrow::csv::StreamingReader::Make(arrow::io::default_io_context(), file, readOptions(),
                                                                parseOptions(delimiter), convert));
        return arrow::Status::OK();
    }

    // Twice: the first learns the columns' names, so that the second can take every column as bytes.
    arrow::Status open(const std::string& path, char delimiter) {
        auto convert = arrow::csv::ConvertOptions::Defaults();
        convert.check_utf8 = false; // one bad cell must not lose the file; the caller checks
        ARROW_RETURN_NOT_OK(makeReader(path, delimiter, convert));
        names = reader->schema()->field_names();
        for (const std::string& name : names)
            convert.column_types[name] = arrow::binary();
        convert.strings_can_be_null = false;
        return makeReader(path, delimiter, convert);
    }

    int32_t next(int64_t& number, RpCell* cells, std::string& problem) {
        while (batch == nullptr || rowOfBatch == batch->num_rows()) {
            rowOfBatch = 0;
            if (const auto status = reader->ReadNext(&batch); !status.ok()) {
                problem = status.message();
                return -1;
            }
            if (batch == nullptr) break;
        }
        number = ++record;
        if (!skipped.empty() && skipped.front() == record) {
            skipped.pop_front();
            return 2;
        }
        if (batch == nullptr) return 0;
        for (int column = 0; column < batch->num_columns(); ++column) {
            const auto& cell = static_cast<const arrow::BinaryArray&>(*batch->column(column));
            const auto view = cell.GetView(rowOfBatch);
            cells[column] = {view.data(), static_cast<int64_t>(view.size())};
        }
        ++rowOfBatch;
        return 1;
    }
};

extern "C" {

RpCsv* rpCsvOpen(const char* path, char delimiter, char* error, int64_t errorSize) try {
    auto csv = std::make_unique<RpCsv>();
    if (const auto status = csv->open(path, delimiter); !status.ok()) {
        report(error, errorSize, status.message());
        return nullptr;
    }
    return csv.release();
} catch (const std::exception& failure) {
    report(error, errorSize, failure.what());
    return nullptr;
}

int64_t rpCsvNumColumns(const RpCsv* csv) {
    return static_cast<int64_t>(csv->names.size());
}

RpCell rpCsvColumnName(const RpCsv* csv, int64_t column) {
    const std::string& name = csv->names[static_cast<std::size_t>(column)];
    return {name.data(), static_cast<int64_t>(name.size())};
}

int32_t rpCsvNext(RpCsv* csv, int64_t* number, RpCell* cells, char* error, int64_t errorSize) try {
    std::string problem;
    const int32_t result = csv->next(*number, cells, problem);
    if (result < 0) report(error, errorSize, problem);
    return result;
} catch (const std::exception& failure) {
    report(error, errorSize, failure.what());
    return -1;
}

int64_t rpCsvBytesRead(const RpCsv* csv) {
    return csv->reader->bytes_read();
}

void rpCsvClose(RpCsv* csv) {
    delete csv;
}

} // extern "C"
