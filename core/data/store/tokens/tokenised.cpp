// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/tokenised.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/thread_team.h"
#include "data/rows/columns/named_columns.h"
#include "data/rows/columns/row_stream.h"
#include "data/store/tokens/cache_key.h"
#include "data/store/tokens/load_meter.h"
#include "data/store/tokens/row_coder.h"
#include "data/store/tokens/token_cache.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Reads and encodes file after file, in chunks of rows.
class RowPass {
public:
    RowPass(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
            LoadMeter& meter, RowVisitor* visitor, const fs::path& folder)
        : m_options(options)
        , m_coder(options, tokenizer, chatTemplate)
        , m_meter(meter)
        , m_visitor(visitor)
        , m_team(options.numThreads)
        , m_writer(folder)
        , m_namedColumns(options.format) {}

    TokenNotes run() {
        for (const fs::path& file : m_options.allFiles()) {
            readFile(file);
            if (m_notes.files.size() == m_options.files.size()) m_notes.numForTraining = m_writer.size();
        }
        const std::vector<fs::path> files = m_options.allFiles();
        m_namedColumns.require(files.front(), files.size());
        return std::move(m_notes);
    }
    TokenStoreWriter& writer() { return m_writer; }
    int64_t numRows() const { return m_numRows; }

private:
    static constexpr int kMaxTooLong = 10;

    void readFile(const fs::path& file) {
        RowStream stream(file, m_options.format);
        m_notes.files.push_back({stream.source().unit(), 0});
        if (m_visitor != nullptr) m_visitor->beginFile(stream.source().unit());
        for (auto rows = stream.nextChunk(); !rows.empty(); rows = stream.nextChunk()) {
            m_namedColumns.look(rows);
            std::vector<CodedRow> encoded(rows.size());
            m_team.forEach(std::ssize(rows), [&](int64_t i) {
                const auto index = static_cast<std::size_t>(i);
                if (m_numTooLong >= kMaxTooLong) return; // the reading stops behind this chunk
                encoded[index] =
                    m_coder.code(rows[index], stream.format(), static_cast<int32_t>(m_notes.files.size()) - 1);
                if (takesTooLong(encoded[index])) ++m_numTooLong;
            });
            requireTime(encoded);
            for (CodedRow& row : encoded)
                take(row);
            m_meter.encoded(m_numRows, stream.source().bytesRead());
        }
        m_meter.finishedFile();
        if (m_notes.files.back().numRows == 0)
            throw NothingUsable(ErrorKind::kInvalidInput, fmt::format("'{}' has no rows.", file.string()));
    }

    void take(CodedRow& encoded) {
        encoded.row.example.id = m_numRows++;
        ++m_notes.files.back().numRows;
        if (encoded.problem) {
            m_notes.lost.push_back({encoded.row.example.place, *encoded.problem, encoded.textHash});
            if (m_visitor != nullptr) m_visitor->visit(m_notes.lost.back());
        } else {
            m_writer.add(encoded.row);
            if (m_visitor != nullptr) m_visitor->visit(encoded.row);
        }
    }

    // Seconds a row: nobody waits for a file of them.
    void requireTime(const std::vector<CodedRow>& encoded) const {
        if (m_numTooLong < kMaxTooLong) return;
        const auto first = std::ranges::find_if(encoded, takesTooLong);
        const session::RowPlace place = first->row.example.place;
        throw invalidInput(
            fmt::format(
                "{} rows take too long; one is {}: it {}.", kMaxTooLong,
                placeText(m_options.allFiles()[static_cast<std::size_t>(place.file)], m_notes.files.back().unit, place),
                first->problem->what()),
            "Give another template with --chat-template FILE, or take the longest rows out of the file.");
    }
    static bool takesTooLong(const CodedRow& encoded) {
        return encoded.problem && encoded.problem->remark().code == RowRemark::kTemplateSpent;
    }

    const DataOptions& m_options;
    RowCoder m_coder;
    LoadMeter& m_meter;
    RowVisitor* m_visitor; // may be null
    ThreadTeam m_team;
    TokenStoreWriter m_writer;
    NamedColumns m_namedColumns;
    TokenNotes m_notes;
    int64_t m_numRows = 0;
    std::atomic<int> m_numTooLong = 0;
};

Json jsonOf(const TokenNotes& notes) {
    Json files = Json::array(), lost = Json::array();
    for (const FileNotes& file : notes.files)
        files.push_back({file.unit, file.numRows});
    for (const LostRow& row : notes.lost)
        lost.push_back({row.place.file, row.place.number, spellingOf(row.problem.reason()),
                        spellingOf(row.problem.remark().code), row.problem.remark().arguments, row.textHash});
    return {{"files", files}, {"for_training", notes.numForTraining}, {"lost", lost}};
}

TokenNotes notesFrom(const std::string& text) {
    const Json json = Json::parse(text);
    TokenNotes notes;
    notes.numForTraining = json.at("for_training").get<int64_t>();
    for (const Json& file : json.at("files"))
        notes.files.push_back({file.at(0).get<std::string>(), file.at(1).get<int64_t>()});
    for (const Json& row : json.at("lost")) {
        Remark remark(fromSpelling<RowRemark>(row.at(3).get<std::string>()).value());
        remark.arguments = row.at(4).get<std::vector<std::string>>();
        notes.lost.push_back({{row.at(0).get<int32_t>(), row.at(1).get<int64_t>()},
                              {fromSpelling<DropReason>(row.at(2).get<std::string>()).value(), std::move(remark)},
                              row.at(5).get<uint64_t>()});
    }
    return notes;
}

// A cache that cannot be used must not keep anybody from training.
std::optional<TokenCache> openCache(const DataOptions& options) {
    if (options.cacheFolder.empty() || options.modelFolder.empty()) return std::nullopt;
    try {
        return TokenCache(options.cacheFolder);
    } catch (const Error& error) {
        log::warning("Tokenised data are not kept for the next run: " + std::string(error.message()));
        return std::nullopt;
    }
}

std::vector<int64_t> sizesOf(const std::vector<fs::path>& files) {
    std::vector<int64_t> sizes;
    for (const fs::path& file : files)
        sizes.push_back(FileReader(file).sizeBytes());
    return sizes;
}

} // namespace

std::string placeText(const fs::path& file, const std::string& unit, session::RowPlace place) {
    return fmt::format("'{}', {} {}", file.string(), unit, place.number);
}

session::DroppedRow droppedRow(const fs::path& file, const std::string& unit, session::RowPlace place,
                               const RowProblem& problem) {
    return {place, problem.reason(), problem.remark(),
            fmt::format("{}: {}", placeText(file, unit, place), problem.what())};
}

Tokenised tokenise(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
                   const LoadCallback& progress, RowVisitor* visitor) {
    if (options.files.empty()) throw invalidInput("No data file is given.");
    if (options.maxLength < 2)
        throw invalidInput(fmt::format("data.max_length must be at least 2, but is {}.", options.maxLength));
    LoadMeter meter(sizesOf(options.allFiles()), progress);
    const std::optional<TokenCache> cache = openCache(options);
    const auto key = [&] { return cache ? cacheKeyOf(*cache, options, chatTemplate, meter) : std::string(); };
    const std::string keyBefore = key();
    if (auto store = cache ? cache->find(keyBefore) : nullptr) {
        Tokenised found{store, notesFrom(store->notes()), 0};
        if (visitor != nullptr) show(found, *visitor, [&](int64_t rows, int64_t ofRows) { meter.shown(rows, ofRows); });
        return found;
    }

    RowPass pass(options, tokenizer, chatTemplate, meter, visitor, cache ? cache->folder() : fs::temp_directory_path());
    TokenNotes notes = pass.run();
    // What was read must be what was hashed: a file that has changed meanwhile is not kept under the old hash.
    const bool isKept = cache && key() == keyBefore;
    auto store = pass.writer().finish(jsonOf(notes).dump(-1, ' ', false, Json::error_handler_t::replace),
                                      isKept ? cache->pathOf(keyBefore) : fs::path());
    if (isKept) cache->tidy(keyBefore);
    return {std::move(store), std::move(notes), pass.numRows()};
}

// A row's id is its position among all of them.
void show(const Tokenised& tokenised, RowVisitor& visitor, const std::function<void(int64_t, int64_t)>& shown) {
    constexpr int64_t kReportEvery = 1024;
    const TokenStore& store = *tokenised.store;
    const int64_t numRows = store.size() + std::ssize(tokenised.notes.lost);
    uint32_t stored = 0;
    std::size_t lost = 0;
    int64_t id = 0;
    for (const FileNotes& file : tokenised.notes.files) {
        visitor.beginFile(file.unit);
        for (const int64_t end = id + file.numRows; id < end; ++id) {
            if (stored < store.size() && store.entry(stored).id == id)
                visitor.visit(store.read(stored++));
            else
                visitor.visit(tokenised.notes.lost.at(lost++));
            if (shown && id % kReportEvery == 0) shown(id, numRows);
        }
    }
    if (shown) shown(numRows, numRows);
}

} // namespace roundpipe::data
