#include "data/store/dataset.h"

#include "base/error.h"
#include "data/store/split.h"
#include "data/store/tokenised.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {

std::string DatasetStats::summary() const {
    int64_t numLost = 0;
    std::string reasons;
    for (std::size_t i = 0; i < numDropped.size(); ++i) {
        const int64_t count = numDropped[i];
        numLost += count;
        if (count > 0)
            reasons += fmt::format("{}{} {}", reasons.empty() ? "; dropped: " : ", ", count,
                                   spellingOf(static_cast<DropReason>(i)));
    }
    return fmt::format("{} of {} rows are usable{}", numRows - numLost, numRows, reasons);
}

// Makes a dataset of what its files' rows have become.
class DatasetLoader {
public:
    DatasetLoader(const DataOptions& options, Tokenised tokenised)
        : m_options(options), m_tokenised(std::move(tokenised)) {
        m_result.m_files = options.allFiles();
    }

    Dataset load() {
        requireGoodRows();
        takeRows();
        requireExamples(m_training, "");
        if (m_options.validationFile.empty()) {
            const int64_t count = numValidationRows(std::ssize(m_training.members), m_options);
            split(m_training, count, m_result.m_validation, &m_result.m_training);
        } else {
            requireExamples(m_validation, " for validation");
            m_result.m_training = setOf(std::move(m_training));
            split(m_validation, std::max<int64_t>(0, m_options.maxValidationRows), m_result.m_validation, nullptr);
        }
        requireTrainedShare();
        return std::move(m_result);
    }

private:
    // Examples by their positions in the store, and as the limit cuts them.
    struct Chosen {
        std::vector<uint32_t> members;
        batch::ExampleLengths lengths;
    };

    void requireGoodRows() const {
        const TokenNotes& notes = m_tokenised.notes;
        for (std::size_t file = 0; file < notes.files.size(); ++file) {
            const auto isBad = [&](const LostRow& row) {
                return row.place.file == static_cast<int32_t>(file) && row.problem.reason() == DropReason::kBadRow;
            };
            if (std::ranges::count_if(notes.lost, isBad) < notes.files[file].numRows) continue;
            const LostRow& first = *std::ranges::find_if(notes.lost, isBad);
            throw invalidInput(fmt::format("No row of '{}' can be used. {}.", m_result.m_files[file].string(),
                                           dropped(first.place, first.problem).text));
        }
    }

    void takeRows() {
        const auto& [store, notes, numEncoded] = m_tokenised;
        m_result.m_stats.numEncoded = numEncoded;
        auto lost = notes.lost.begin();
        for (uint32_t i = 0; i < store->size(); ++i) {
            const StoredEntry& entry = store->entry(i);
            for (; m_result.m_stats.numRows < entry.id; ++lost)
                drop(lost->place, lost->problem);
            const RowLengths row = store->lengthsOf(i, m_options.maxLength);
            if (const auto problem = lengthProblemOf(row, m_options))
                drop(store->read(i, 0).place, *problem);
            else
                use(i, row);
        }
        for (; lost != notes.lost.end(); ++lost)
            drop(lost->place, lost->problem);
    }

    void use(uint32_t member, const RowLengths& row) {
        DatasetStats& stats = m_result.m_stats;
        ++stats.numRows;
        stats.numTruncated += row.kept < row.length ? 1 : 0;
        stats.numTurnsWithoutEnd += m_tokenised.store->entry(member).numTurnsWithoutEnd;
        Chosen& side = member < m_tokenised.notes.numForTraining ? m_training : m_validation;
        side.members.push_back(member);
        side.lengths.add(row.kept, row.trainedKept);
    }

    void drop(session::RowPlace place, const RowProblem& problem) {
        ++m_result.m_stats.numRows;
        ++m_result.m_stats.numDropped[static_cast<std::size_t>(problem.reason())];
        m_result.m_dropped.push_back(dropped(place, problem));
    }

    session::DroppedRow dropped(session::RowPlace place, const RowProblem& problem) const {
        const auto file = static_cast<std::size_t>(place.file);
        return droppedRow(m_result.m_files[file], m_tokenised.notes.files[file].unit, place, problem);
    }

    ExampleSet setOf(Chosen chosen) const {
        return {m_tokenised.store, std::move(chosen.members), std::move(chosen.lengths)};
    }

    // The `count` ones that the seed draws into `chosen`, the others into `rest`.
    void split(const Chosen& all, int64_t count, ExampleSet& chosen, ExampleSet* rest) const {
        std::vector<int64_t> ids;
        for (const uint32_t member : all.members)
            ids.push_back(m_tokenised.store->entry(member).id);
        const std::vector<bool> isChosen = chosenBySeed(ids, count, m_options.seed);
        Chosen inside, outside;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Chosen& side = isChosen[i] ? inside : outside;
            side.members.push_back(all.members[i]);
            side.lengths.add(all.lengths.tokens()[i], all.lengths.trained()[i]);
        }
        chosen = setOf(std::move(inside));
        if (rest != nullptr) *rest = setOf(std::move(outside));
    }

    void requireExamples(const Chosen& examples, const char* purpose) const {
        if (!examples.members.empty()) return;
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
    const Tokenised m_tokenised;
    Chosen m_training, m_validation;
    Dataset m_result;
};

Dataset Dataset::load(const DataOptions& options, const text::Tokenizer& tokenizer,
                      const text::ChatTemplate& chatTemplate, const LoadCallback& progress) {
    return DatasetLoader(options, tokenise(options, tokenizer, chatTemplate, progress)).load();
}

} // namespace roundpipe::data
