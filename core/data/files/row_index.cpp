// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_index.h"

#include "data/files/columnar_rows.h"
#include "data/files/record_stream.h"
#include "data/files/records/compression.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace roundpipe::data {

class RowIndex::Rows {
public:
    explicit Rows(RowFile opened) : file(std::move(opened)) {}
    virtual ~Rows() = default;
    virtual IndexProgress progress() const = 0;
    virtual std::vector<RawRow> rows(int64_t number, int64_t count, const std::stop_token& stop) = 0;

    const RowFile file;
};

// Files of columns know where their rows stand.
class RowIndex::TableRows final : public RowIndex::Rows {
public:
    explicit TableRows(RowFile opened)
        : Rows(std::move(opened)), m_table(file.path, file.kind), m_numRows(m_table.numRows()) {}

    IndexProgress progress() const override { return {m_numRows, true}; }
    std::vector<RawRow> rows(int64_t number, int64_t count, const std::stop_token& stop) override {
        const std::lock_guard lock(m_mutex);
        m_table.seek(number - 1);
        std::vector<RawRow> result;
        while (std::ssize(result) < count && !stop.stop_requested()) {
            auto row = m_table.next();
            if (!row) break;
            result.push_back(std::move(*row));
        }
        return result;
    }

private:
    std::mutex m_mutex;
    ColumnarRows m_table;
    int64_t m_numRows;
};

// Everything else is passed once, from the start to the end.
class RowIndex::ScannedRows final : public RowIndex::Rows {
public:
    explicit ScannedRows(RowFile opened)
        : Rows(std::move(opened))
        , m_marks{firstRecord(file)}
        , m_thread([this](const std::stop_token& stop) { scan(stop); }) {}

    IndexProgress progress() const override {
        const std::lock_guard lock(m_mutex);
        return m_progress;
    }

    std::vector<RawRow> rows(int64_t number, int64_t count, const std::stop_token& stop) override {
        const RecordStart mark = markBefore(number);
        const std::lock_guard lock(m_readerMutex);
        if (!m_reader || m_lastRead >= number || m_lastRead < mark.numBefore) {
            m_reader.emplace(file, mark);
            m_lastRead = mark.numBefore;
        }
        std::vector<RawRow> result;
        FileRecord record;
        while (std::ssize(result) < count && !stop.stop_requested() && m_reader->next(record)) {
            m_lastRead = record.number;
            if (record.number >= number) result.push_back(rowOf(file, std::move(record)));
        }
        return result;
    }

private:
    static constexpr int64_t kMarkBytes = 256 << 10;

    RecordStart markBefore(int64_t number) const {
        if (file.compression != Compression::kNone) return firstRecord(file);
        const std::lock_guard lock(m_mutex);
        const auto after = std::ranges::lower_bound(m_marks, number, {}, &RecordStart::numBefore);
        return *(after - 1); // the first one stands before every row
    }

    void scan(const std::stop_token& stop) {
        int64_t lastNumber = 0;
        try {
            pass(stop, lastNumber);
        } catch (const std::exception&) { // whoever reads there is told
        }
        const std::lock_guard lock(m_mutex);
        m_progress = {lastNumber, true};
    }

    void pass(const std::stop_token& stop, int64_t& lastNumber) {
        RecordStream records(file, firstRecord(file));
        FileRecord record;
        int64_t lastMark = file.firstRowOffset;
        while (!stop.stop_requested() && records.next(record)) {
            if (record.offset >= lastMark + kMarkBytes) {
                lastMark = record.offset;
                const std::lock_guard lock(m_mutex);
                m_marks.push_back({record.offset, record.number - 1});
                m_progress.lastNumber = lastNumber;
            }
            lastNumber = record.number;
        }
    }

    mutable std::mutex m_mutex;       // of what the index knows
    std::vector<RecordStart> m_marks; // ascending
    IndexProgress m_progress;
    std::mutex m_readerMutex; // of what rows() reads with
    std::optional<RecordStream> m_reader;
    int64_t m_lastRead = 0; // the number of the row that m_reader gave last
    std::jthread m_thread;  // the last one, so that it ends first
};

RowIndex::RowIndex(const std::filesystem::path& path, const TableLayout& table) {
    RowFile file = examineFile(path, table);
    if (isColumnar(file.kind))
        m_rows = std::make_unique<TableRows>(std::move(file));
    else
        m_rows = std::make_unique<ScannedRows>(std::move(file));
}

RowIndex::~RowIndex() = default;

const RowFile& RowIndex::file() const {
    return m_rows->file;
}

IndexProgress RowIndex::progress() const {
    return m_rows->progress();
}

std::vector<RawRow> RowIndex::rows(int64_t number, int64_t count, const std::stop_token& stop) const {
    return m_rows->rows(std::max<int64_t>(1, number), count, stop);
}

} // namespace roundpipe::data
