#include "data/store/tokenised.h"

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/thread_team.h"
#include "data/encode/row_encoder.h"
#include "data/rows/row_stream.h"
#include "data/store/content_hash.h"
#include "data/store/load_meter.h"
#include "data/store/token_cache.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Raised whenever the same row may give other tokens than before, or the notes have another form.
constexpr int kCacheVersion = 1;

// A row's way through the encoder: one of the two is set.
struct Outcome {
    std::optional<EncodedRow> row;
    std::optional<RowProblem> problem;
};

Outcome encodeOne(const RowEncoder& encoder, const RawRow& raw, const RowFormat& format, const DataOptions& options) {
    Outcome outcome;
    try {
        if (!raw.problem.empty()) throw RowProblem(DropReason::kBadRow, raw.problem);
        outcome.row = encoder.encode(raw.json, format);
        checkLength(*outcome.row, options);
    } catch (const RowProblem& problem) {
        outcome.row.reset();
        outcome.problem = problem;
    }
    return outcome;
}

// In parallel, in order.
std::vector<Outcome> encodeAll(const RowEncoder& encoder, const std::vector<RawRow>& rows, const RowFormat& format,
                               const DataOptions& options) {
    std::vector<Outcome> outcomes(rows.size());
    forEachIndex(rows.size(), options.numThreads,
                 [&](std::size_t i) { outcomes[i] = encodeOne(encoder, rows[i], format, options); });
    return outcomes;
}

// Reads and encodes file after file into a store.
class Reader {
public:
    Reader(const std::vector<fs::path>& files, const DataOptions& options, const text::Tokenizer& tokenizer,
           const text::ChatTemplate& chatTemplate, LoadMeter& meter, const fs::path& folder)
        : m_files(files)
        , m_options(options)
        , m_encoder(options, tokenizer, chatTemplate)
        , m_meter(meter)
        , m_writer(folder) {}

    TokenStoreWriter& writer() { return m_writer; }

    TokenNotes read() {
        for (std::size_t file = 0; file < m_files.size(); ++file) {
            readFile(file);
            if (file < m_options.files.size()) m_notes.numForTraining = m_writer.size();
        }
        return std::move(m_notes);
    }

private:
    void readFile(std::size_t file) {
        RowStream stream(m_files[file], m_options.format);
        m_notes.units.emplace_back(stream.source().unit());
        const std::size_t firstLost = m_notes.lost.size();
        const int64_t rowsBefore = m_notes.numRows;
        for (auto rows = stream.nextChunk(); !rows.empty(); rows = stream.nextChunk()) {
            auto outcomes = encodeAll(m_encoder, rows, stream.format(), m_options);
            for (std::size_t i = 0; i < rows.size(); ++i)
                take({static_cast<int32_t>(file), rows[i].number}, outcomes[i]);
            m_meter.encoded(m_notes.numRows, stream.source().bytesRead());
        }
        m_meter.finishedFile();
        requireGoodRow(file, m_notes.numRows - rowsBefore, std::span(m_notes.lost).subspan(firstLost));
    }

    void take(RowPlace place, Outcome& outcome) {
        const int64_t id = m_notes.numRows++;
        if (outcome.problem) {
            m_notes.lost.push_back({place, outcome.problem->reason(), outcome.problem->what()});
            return;
        }
        const EncodedRow& row = *outcome.row;
        const auto kept = static_cast<std::size_t>(row.numKept);
        if (kept < row.ids.size()) ++m_notes.numTruncated;
        m_notes.numTurnsWithoutEnd += row.numTurnsWithoutEnd;
        m_writer.add(id, place, std::span(row.ids).first(kept), std::span(row.trained).first(kept));
    }

    void requireGoodRow(std::size_t file, int64_t numRows, std::span<const LostRow> lost) const {
        if (numRows == 0) throw invalidInput(fmt::format("'{}' has no rows.", m_files[file].string()));
        const bool allBad =
            static_cast<int64_t>(lost.size()) == numRows &&
            std::ranges::all_of(lost, [](const auto& row) { return row.reason == DropReason::kBadRow; });
        if (!allBad) return;
        const LostRow& first = lost.front();
        throw invalidInput(
            fmt::format("No row of '{}' can be used. {}.", m_files[file].string(),
                        describe(m_files[file], m_notes.units[file], first.place.number, first.problem)));
    }

    const std::vector<fs::path>& m_files;
    const DataOptions& m_options;
    RowEncoder m_encoder;
    LoadMeter& m_meter;
    TokenStoreWriter m_writer;
    TokenNotes m_notes;
};

std::string toJson(const TokenNotes& notes) {
    Json lost = Json::array();
    for (const LostRow& row : notes.lost)
        lost.push_back({row.place.file, row.place.number, static_cast<int>(row.reason), row.problem});
    const Json json = {{"rows", notes.numRows},
                       {"truncated", notes.numTruncated},
                       {"turns_without_end", notes.numTurnsWithoutEnd},
                       {"for_training", notes.numForTraining},
                       {"units", notes.units},
                       {"lost", lost}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TokenNotes notesFrom(const std::string& text) {
    const Json json = Json::parse(text);
    TokenNotes notes;
    notes.numRows = json.at("rows").get<int64_t>();
    notes.numTruncated = json.at("truncated").get<int64_t>();
    notes.numTurnsWithoutEnd = json.at("turns_without_end").get<int64_t>();
    notes.numForTraining = json.at("for_training").get<int64_t>();
    notes.units = json.at("units").get<std::vector<std::string>>();
    for (const Json& row : json.at("lost"))
        notes.lost.push_back({{row.at(0).get<int32_t>(), row.at(1).get<int64_t>()},
                              static_cast<DropReason>(row.at(2).get<int>()),
                              row.at(3).get<std::string>()});
    return notes;
}

// Everything that decides the tokens of a dataset. All members of DataOptions are named here, so that a new one does
// not compile until somebody has said whether it does.
std::string keyOf(const TokenCache& cache, const std::vector<fs::path>& files, const DataOptions& options,
                  const text::ChatTemplate& chatTemplate, LoadMeter& meter) {
    const auto& [given, skipped, format, validationFile, validationFraction, maxValidationRows, maxLength, overLength,
                 trainOn, markers, minTrainedShare, arguments, now, seed, numThreads, modelFolder, cacheFolder] =
        options;
    Json key = {{"version", kCacheVersion},
                {"program", ROUNDPIPE_VERSION},
                {"format", spellingOf(format.kind)},
                {"has_validation_file", !validationFile.empty()},
                {"max_length", maxLength},
                {"over_length", static_cast<int>(overLength)},
                {"train_on", static_cast<int>(trainOn)},
                {"markers", {markers.begin, markers.end}},
                {"arguments", arguments}};
    for (const auto& [field, column] : format.columns)
        key["columns"].push_back({field, column});
    for (const bool withTools : {false, true}) {
        const std::string source = chatTemplate.source(withTools);
        key["templates"].push_back(source);
        if (source.find("strftime_now") != std::string::npos)
            key["date"] = {now.year, now.month, now.day, now.hour, now.minute, now.second};
    }
    for (const char* name : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"})
        if (fs::exists(modelFolder / name))
            key["model"].push_back({name, cache.hashOf(modelFolder / name, [](int64_t) {})});
    for (const fs::path& file : files) { // the name's endings decide how it is read
        const std::string name = file.filename().string();
        const std::size_t dot = name.find('.');
        key["files"].push_back({dot == std::string::npos ? "" : name.substr(dot),
                                cache.hashOf(file, [&](int64_t bytes) { meter.hashed(bytes); })});
    }
    return contentHash(key.dump(-1, ' ', false, Json::error_handler_t::replace));
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

std::string describe(const fs::path& file, const std::string& unit, int64_t number, const std::string& problem) {
    return fmt::format("'{}', {} {}: {}", file.string(), unit, number, problem);
}

Tokenised tokenise(const std::vector<fs::path>& files, const DataOptions& options, const text::Tokenizer& tokenizer,
                   const text::ChatTemplate& chatTemplate, const LoadCallback& progress) {
    LoadMeter meter(sizesOf(files), progress);
    const std::optional<TokenCache> cache = openCache(options);
    const std::string key = cache ? keyOf(*cache, files, options, chatTemplate, meter) : "";
    if (cache)
        if (auto store = cache->find(key)) {
            TokenNotes notes = notesFrom(store->notes());
            return {std::move(store), std::move(notes)};
        }

    Reader reader(files, options, tokenizer, chatTemplate, meter, cache ? cache->folder() : fs::temp_directory_path());
    TokenNotes notes = reader.read();
    // What was read must be what was hashed: a file that has changed meanwhile is not kept under the old hash.
    const bool kept = cache && keyOf(*cache, files, options, chatTemplate, meter) == key;
    auto store = reader.writer().finish(toJson(notes), kept ? cache->pathOf(key) : fs::path());
    if (kept) cache->tidy(key);
    return {std::move(store), std::move(notes)};
}

} // namespace roundpipe::data
