#include "data/store/dataset.h"

#include "base/error.h"
#include "data/store/split.h"
#include "data/store/tokenised.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;

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

// Makes a dataset of what its files' rows have become.
class DatasetLoader {
public:
    DatasetLoader(const DataOptions& options, Tokenised tokenised, std::vector<fs::path> files)
        : m_options(options), m_store(std::move(tokenised.store)), m_numForTraining(tokenised.notes.numForTraining) {
        m_result.m_files = std::move(files);
        take(std::move(tokenised.notes));
    }

    Dataset load() {
        std::vector<uint32_t> all = between(0, m_numForTraining);
        requireExamples(all, "");
        if (m_options.validationFile.empty()) {
            split(all, numValidationRows(m_numForTraining, m_options), m_result.m_validation, &m_result.m_training);
        } else {
            const std::vector<uint32_t> validation = between(m_numForTraining, m_store->size());
            requireExamples(validation, " for validation");
            m_result.m_training = ExampleSet(m_store, std::move(all));
            split(validation, std::max<int64_t>(0, m_options.maxValidationRows), m_result.m_validation, nullptr);
        }
        requireTrainedShare();
        return std::move(m_result);
    }

private:
    void take(TokenNotes notes) {
        DatasetStats& stats = m_result.m_stats;
        stats.numRows = notes.numRows;
        stats.numTruncated = notes.numTruncated;
        stats.numTurnsWithoutEnd = notes.numTurnsWithoutEnd;
        for (const LostRow& row : notes.lost) {
            const auto file = static_cast<std::size_t>(row.place.file);
            ++stats.numDropped[static_cast<std::size_t>(row.reason)];
            m_result.m_dropped.push_back(
                {row.place, row.reason,
                 describe(m_result.m_files[file], notes.units[file], row.place.number, row.problem)});
        }
    }

    static std::vector<uint32_t> between(int64_t begin, int64_t end) {
        std::vector<uint32_t> members(static_cast<std::size_t>(end - begin));
        std::iota(members.begin(), members.end(), static_cast<uint32_t>(begin));
        return members;
    }

    // The `count` ones that the seed draws into `chosen`, the others into `rest`.
    void split(const std::vector<uint32_t>& members, int64_t count, ExampleSet& chosen, ExampleSet* rest) const {
        std::vector<int64_t> ids;
        for (const uint32_t member : members)
            ids.push_back(m_store->entry(member).id);
        const std::vector<bool> isChosen = chosenBySeed(ids, count, m_options.seed);
        std::vector<uint32_t> inside, outside;
        for (std::size_t i = 0; i < members.size(); ++i)
            (isChosen[i] ? inside : outside).push_back(members[i]);
        chosen = ExampleSet(m_store, std::move(inside));
        if (rest != nullptr) *rest = ExampleSet(m_store, std::move(outside));
    }

    void requireExamples(const std::vector<uint32_t>& members, const char* purpose) const {
        if (!members.empty()) return;
        const auto& counts = m_result.m_stats.numDropped;
        const bool mask = counts[static_cast<std::size_t>(DropReason::kMask)] > 0;
        throw invalidInput(fmt::format("There is no trained token in the data{}: {}. First: {}.", purpose,
                                       m_result.m_stats.summary(), m_result.m_dropped.front().text),
                           mask ? adviceFor(DropReason::kMask) : "");
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

    const DataOptions& m_options;
    std::shared_ptr<const TokenStore> m_store;
    int64_t m_numForTraining;
    Dataset m_result;
};

Dataset Dataset::load(const DataOptions& options, const text::Tokenizer& tokenizer,
                      const text::ChatTemplate& chatTemplate, const LoadCallback& progress) {
    if (options.files.empty()) throw invalidInput("No data file is given.");
    if (options.maxLength < 2)
        throw invalidInput(fmt::format("data.max_length must be at least 2, but is {}.", options.maxLength));
    std::vector<fs::path> files = options.allFiles();
    Tokenised tokenised = tokenise(files, options, tokenizer, chatTemplate, progress);
    return DatasetLoader(options, std::move(tokenised), std::move(files)).load();
}

} // namespace roundpipe::data
