#include "data/dataset.h"

#include "base/error.h"
#include "base/file.h"
#include "data/parallel.h"
#include "data/row_stream.h"
#include "data/split.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

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

std::vector<bool> chosenFrom(const ExampleSet& examples, int64_t count, uint64_t seed) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < examples.size(); ++i)
        ids.push_back(examples[i].id);
    return chosenBySeed(ids, count, seed);
}

constexpr const char* kMaskAdvice =
    "Give a template with {% generation %} tags (--chat-template), or the texts that stand around the assistant's "
    "turns (data.turn_begin and data.turn_end), or train on all tokens (data.train_on: all).";

std::string describe(const fs::path& file, const char* unit, int64_t number, const std::string& problem) {
    return fmt::format("'{}', {} {}: {}", file.string(), unit, number, problem);
}

} // namespace

std::string DatasetStats::summary() const {
    int64_t numLost = 0;
    std::string reasons;
    for (int i = 0; i < kNumDropReasons; ++i) {
        const int64_t count = numDropped[static_cast<std::size_t>(i)];
        numLost += count;
        if (count > 0)
            reasons += fmt::format("{}{} {}", reasons.empty() ? "; dropped: " : ", ", count,
                                   toString(static_cast<DropReason>(i)));
    }
    return fmt::format("{} of {} rows are usable{}", numRows - numLost, numRows, reasons);
}

// Builds a dataset file by file.
class DatasetLoader {
public:
    DatasetLoader(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
                  const LoadCallback& progress)
        : m_options(options), m_encoder(options, tokenizer, chatTemplate), m_progress(progress) {}

    Dataset load() {
        if (m_options.files.empty()) throw invalidInput("No data file is given.");
        if (m_options.maxLength < 2)
            throw invalidInput(fmt::format("data.max_length must be at least 2, but is {}.", m_options.maxLength));
        m_result.m_files = m_options.files;
        const bool hasValidationFile = !m_options.validationFile.empty();
        if (hasValidationFile) m_result.m_files.push_back(m_options.validationFile);
        for (const fs::path& file : m_result.m_files)
            m_totalBytes += sizeOf(file);

        ExampleSet all, validation;
        for (std::size_t i = 0; i < m_options.files.size(); ++i)
            readFile(static_cast<int32_t>(i), all);
        requireExamples(all, "");
        if (!hasValidationFile) {
            split(all);
            requireTrainedShare();
            return std::move(m_result);
        }
        readFile(static_cast<int32_t>(m_options.files.size()), validation);
        requireExamples(validation, " for validation");
        m_result.m_training = std::move(all);
        requireTrainedShare();
        const auto chosen = chosenFrom(validation, std::max<int64_t>(0, m_options.maxValidationRows), m_options.seed);
        for (int64_t i = 0; i < validation.size(); ++i)
            if (chosen[static_cast<std::size_t>(i)]) copy(validation[i], m_result.m_validation);
        return std::move(m_result);
    }

private:
    static int64_t sizeOf(const fs::path& file) { return FileReader(file).sizeBytes(); }

    static void copy(const Example& example, ExampleSet& into) {
        into.add(example.id, example.place, example.ids, example.trained);
    }

    void readFile(int32_t file, ExampleSet& into) {
        const fs::path& path = m_result.m_files[static_cast<std::size_t>(file)];
        RowStream stream(path, m_options.format);
        const std::size_t firstDropped = m_result.m_dropped.size();
        int64_t numRows = 0;
        for (auto rows = stream.nextChunk(); !rows.empty(); rows = stream.nextChunk()) {
            auto outcomes = encodeAll(m_encoder, rows, stream.format(), m_options);
            for (std::size_t i = 0; i < rows.size(); ++i)
                take({file, rows[i].number}, stream.source().unit(), outcomes[i], into);
            numRows += static_cast<int64_t>(rows.size());
            report(stream.source().bytesRead());
        }
        m_finishedBytes += sizeOf(path);
        if (numRows == 0) throw invalidInput(fmt::format("'{}' has no rows.", path.string()));
        const auto lost = std::span(m_result.m_dropped).subspan(firstDropped);
        const bool allBad =
            static_cast<int64_t>(lost.size()) == numRows &&
            std::ranges::all_of(lost, [](const auto& row) { return row.reason == DropReason::kBadRow; });
        if (allBad)
            throw invalidInput(fmt::format("No row of '{}' can be used. {}.", path.string(), lost.front().text));
    }

    void take(RowPlace place, const char* unit, Outcome& outcome, ExampleSet& into) {
        DatasetStats& stats = m_result.m_stats;
        const int64_t id = stats.numRows++;
        if (outcome.problem) {
            const DropReason reason = outcome.problem->reason();
            ++stats.numDropped[static_cast<std::size_t>(reason)];
            const fs::path& file = m_result.m_files[static_cast<std::size_t>(place.file)];
            m_result.m_dropped.push_back({place, reason, describe(file, unit, place.number, outcome.problem->what())});
            return;
        }
        const EncodedRow& row = *outcome.row;
        const auto kept = static_cast<std::size_t>(row.numKept);
        if (kept < row.ids.size()) ++stats.numTruncated;
        stats.numTurnsWithoutEnd += row.numTurnsWithoutEnd;
        into.add(id, place, std::span(row.ids).first(kept), std::span(row.trained).first(kept));
    }

    void report(int64_t bytesOfFile) const {
        if (!m_progress) return;
        const double done = static_cast<double>(m_finishedBytes + bytesOfFile);
        const LoadProgress progress{m_result.m_stats.numRows,
                                    std::min(1.0, done / static_cast<double>(std::max<int64_t>(1, m_totalBytes)))};
        if (!m_progress(progress)) throw Error(ErrorKind::kCancelled, "Reading the data was cancelled.");
    }

    void requireExamples(const ExampleSet& examples, const char* purpose) const {
        if (examples.size() > 0) return;
        const auto& counts = m_result.m_stats.numDropped;
        const bool mask = counts[static_cast<std::size_t>(DropReason::kMask)] > 0;
        throw invalidInput(fmt::format("There is no trained token in the data{}: {}. First: {}.", purpose,
                                       m_result.m_stats.summary(), m_result.m_dropped.front().text),
                           mask ? kMaskAdvice : "");
    }

    // Training on next to nothing is a wrong mask far more often than a wish.
    void requireTrainedShare() const {
        const ExampleSet& training = m_result.m_training;
        const double share = static_cast<double>(training.numTrained()) / static_cast<double>(training.numTokens());
        if (share >= m_options.minTrainedShare) return;
        throw invalidInput(
            fmt::format("Only {} of {} tokens ({:.3g} %) would be trained, less than {:.3g} %; {}.",
                        training.numTrained(), training.numTokens(), 100 * share, 100 * m_options.minTrainedShare,
                        m_result.m_stats.summary()),
            fmt::format("Look at the rows with 'roundpipe data lens'. Is it data.train_on, data.max_length ({}) or the "
                        "template? If it is meant so, lower data.min_trained_share.",
                        m_options.maxLength));
    }

    void split(const ExampleSet& all) {
        const auto chosen = chosenFrom(all, numValidationRows(all.size(), m_options), m_options.seed);
        for (int64_t i = 0; i < all.size(); ++i)
            copy(all[i], chosen[static_cast<std::size_t>(i)] ? m_result.m_validation : m_result.m_training);
    }

    const DataOptions& m_options;
    RowEncoder m_encoder;
    const LoadCallback& m_progress;
    Dataset m_result;
    int64_t m_totalBytes = 0;
    int64_t m_finishedBytes = 0;
};

Dataset Dataset::load(const DataOptions& options, const text::Tokenizer& tokenizer,
                      const text::ChatTemplate& chatTemplate, const LoadCallback& progress) {
    return DatasetLoader(options, tokenizer, chatTemplate, progress).load();
}

EncodedRow readEncodedRow(const fs::path& file, int64_t number, const DataOptions& options,
                          const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate) {
    const RowEncoder encoder(options, tokenizer, chatTemplate);
    RowStream stream(file, options.format);
    for (auto rows = stream.nextChunk(); !rows.empty(); rows = stream.nextChunk()) {
        const auto found = std::ranges::find(rows, number, &RawRow::number);
        if (found == rows.end()) continue;
        Outcome outcome = encodeOne(encoder, *found, stream.format(), options);
        if (outcome.problem)
            throw invalidInput(describe(file, stream.source().unit(), number, outcome.problem->what()) + ".");
        return std::move(*outcome.row);
    }
    throw invalidInput(fmt::format("'{}' has no {} {}.", file.string(), stream.source().unit(), number));
}

} // namespace roundpipe::data
