#include "data/files/row_index.h"

#include "base/file.h"
#include "data/files/compression.h"
#include "data/files/parquet_rows.h"
#include "data/files/record_stream.h"

#include <algorithm>
#include <condition_variable>
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
    virtual void cancel() {}
    virtual void wait() const {}
    virtual std::vector<RawRow> rows(int64_t first, int64_t count) = 0;

    const RowFile file;
};

// Parquet knows where its rows stand.
class RowIndex::TableRows final : public RowIndex::Rows {
public:
    explicit TableRows(RowFile opened) : Rows(std::move(opened)), m_table(file.path), m_numRows(m_table.numRows()) {}

    IndexProgress progress() const override { return {m_numRows, 1, true, {}}; }
    std::vector<RawRow> rows(int64_t first, int64_t count) override {
        const std::lock_guard lock(m_mutex);
        std::vector<RawRow> result;
        for (int64_t row = first; row < std::min(m_numRows, first + count); ++row) {
            m_table.seek(row); // of no effect but behind a row that stood for many
            if (auto found = m_table.next()) result.push_back(std::move(*found));
        }
        return result;
    }

private:
    std::mutex m_mutex;
    ParquetRows m_table;
    int64_t m_numRows;
};

// Everything else is passed once, from the start to the end.
class RowIndex::ScannedRows final : public RowIndex::Rows {
public:
    explicit ScannedRows(RowFile opened)
        : Rows(std::move(opened)), m_fileBytes(FileReader(file.path).sizeBytes()), m_marks{{firstRecord(file), 0}} {
        m_thread = std::jthread([this](const std::stop_token& stop) { scan(stop); });
    }

    IndexProgress progress() const override {
        const std::lock_guard lock(m_mutex);
        return m_progress;
    }
    void cancel() override { m_thread.request_stop(); }
    void wait() const override {
        std::unique_lock lock(m_mutex);
        m_done.wait(lock, [this] { return m_progress.isDone; });
    }

    std::vector<RawRow> rows(int64_t first, int64_t count) override {
        constexpr int64_t kAtOnce = 1000;
        int64_t numKnown = 0;
        const Mark mark = markBefore(first, numKnown);
        const int64_t end = std::min(first + count, std::max(kAtOnce, numKnown));
        const std::lock_guard lock(m_readerMutex);
        if (!m_reader || m_nextRow > first || m_nextRow < mark.row) {
            m_reader.emplace(file, mark.start);
            m_nextRow = mark.row;
        }
        std::vector<RawRow> result;
        Record record;
        while (m_nextRow < end && m_reader->next(record))
            if (m_nextRow++ >= first) result.push_back(rowOf(file, std::move(record)));
        return result;
    }

private:
    struct Mark {
        RecordStart start;
        int64_t row = 0; // from 0; blank lines are not counted here
    };
    static constexpr int64_t kMarkBytes = 256 << 10;

    Mark markBefore(int64_t row, int64_t& numKnown) const {
        const std::lock_guard lock(m_mutex);
        numKnown = m_progress.numRows;
        const bool seeks = file.compression == Compression::kNone;
        const auto after = std::ranges::upper_bound(m_marks, row, {}, &Mark::row);
        return seeks && after != m_marks.begin() ? *(after - 1) : m_marks.front();
    }

    void scan(const std::stop_token& stop) {
        std::string problem;
        try {
            pass(stop);
        } catch (const std::exception& error) {
            problem = error.what();
        }
        const std::lock_guard lock(m_mutex);
        m_progress.isDone = true;
        m_progress.problem = std::move(problem);
        m_done.notify_all();
    }

    void pass(const std::stop_token& stop) {
        RecordStream records(file, firstRecord(file));
        Record record;
        int64_t row = 0, lastMark = file.firstRowOffset;
        while (!stop.stop_requested() && records.next(record)) {
            const bool isMark = record.offset >= lastMark + kMarkBytes;
            if (isMark || row % 4096 == 0) {
                const std::lock_guard lock(m_mutex);
                if (isMark) m_marks.push_back({{record.offset, record.number - 1}, row});
                m_progress.numRows = row;
                m_progress.fraction = static_cast<double>(records.fileBytesRead()) / static_cast<double>(m_fileBytes);
            }
            if (isMark) lastMark = record.offset;
            ++row;
        }
        const std::lock_guard lock(m_mutex);
        m_progress.numRows = row;
        if (!stop.stop_requested()) m_progress.fraction = 1;
    }

    const int64_t m_fileBytes;
    mutable std::mutex m_mutex; // of what the index knows
    mutable std::condition_variable m_done;
    std::vector<Mark> m_marks;
    IndexProgress m_progress;
    std::mutex m_readerMutex; // of what rows() reads with
    std::optional<RecordStream> m_reader;
    int64_t m_nextRow = 0;
    std::jthread m_thread; // the last one, so that it ends first
};

RowIndex::RowIndex(const std::filesystem::path& path) {
    RowFile file = examineFile(path);
    if (file.kind == FileKind::kParquet)
        m_rows = std::make_unique<TableRows>(std::move(file));
    else
        m_rows = std::make_unique<ScannedRows>(std::move(file));
}

RowIndex::~RowIndex() = default;

const RowFile& RowIndex::file() const {
    return m_rows->file;
}

bool RowIndex::isSeekable() const {
    return m_rows->file.compression == Compression::kNone;
}

IndexProgress RowIndex::progress() const {
    return m_rows->progress();
}

void RowIndex::cancel() {
    m_rows->cancel();
}

void RowIndex::wait() const {
    m_rows->wait();
}

std::vector<RawRow> RowIndex::rows(int64_t first, int64_t count) const {
    return m_rows->rows(std::max<int64_t>(0, first), std::max<int64_t>(0, count));
}

} // namespace roundpipe::data
