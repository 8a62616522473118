// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/dataset.h"

#include "base/counted.h"
#include "base/error.h"
#include "data/store/choice/selection.h"
#include "data/store/progress_of_all.h"
#include "data/store/tokens/tokenised.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr const char* kLostChoiceAdvice =
    "The file has changed since they were chosen. Choose them again, or take them out of data.leave_out_rows.";

} // namespace

std::string DatasetStats::summary() const {
    int64_t numLost = 0;
    std::string reasons;
    for (std::size_t i = 0; i < numDropped.size(); ++i) {
        const int64_t count = numDropped[i];
        numLost += count;
        const auto reason = static_cast<DropReason>(i);
        if (count > 0)
            reasons += fmt::format("{}{} {}", reasons.empty() ? "; dropped: " : ", ", count,
                                   count == 1 ? spellingOf(reason) : session::manyOf(reason));
    }
    return fmt::format("{} of {} {} usable{}", numRows - numLost, roundpipe::counted(numRows, "row"),
                       numRows - numLost == 1 ? "is" : "are", reasons);
}

std::string DatasetStats::lengthSummary() const {
    const auto rows = [](int64_t count, const char* one, const char* many) {
        return count == 1 ? std::string("1 row ") + one : fmt::format("{} rows {}", count, many);
    };
    std::string text;
    if (numSplit > 0) text = rows(numSplit, "becomes", "become") + fmt::format(" {} pieces", numPieces);
    if (numTruncated > 0) text += (text.empty() ? "" : ", ") + rows(numTruncated, "is cut off", "are cut off");
    return text;
}

// Makes a dataset of what its files' rows have become.
class DatasetLoader {
public:
    DatasetLoader(const DataOptions& options, Tokenised tokenised)
        : m_options(options)
        , m_shared(std::make_shared<const Tokenised>(std::move(tokenised)))
        , m_tokenised(*m_shared) {
        m_result.m_tokenised = {m_shared};
        m_result.m_files = options.allFiles();
        for (const auto& file : m_tokenised.notes.files)
            m_result.m_units.push_back(file.unit);
    }

    Dataset load() {
        requireGoodRows();
        judgeRows();
        const Selection selection = selectionOf(m_rows, m_options, false);
        m_result.m_stats.numNotTaken = std::ssize(selection.notTaken);
        for (const LeftOut& row : selection.leftOut)
            drop(m_rows[row.row].place, row.problem);
        std::ranges::stable_sort(m_result.m_dropped, {}, [](const session::DroppedRow& row) {
            return std::pair(row.place.file, row.place.number);
        });
        takeRows(selection);
        m_result.m_training = setOf(std::move(m_training));
        m_result.m_validation = setOf(std::move(m_validation));
        requireTrainedShare();
        return std::move(m_result);
    }

private:
    // Examples by their positions in the store, and as the limit cuts them.
    struct Chosen {
        Chosen() { lengths.beginDataset(); }
        std::vector<uint32_t> members;
        std::vector<uint32_t> begins;  // empty as long as all are 0
        batch::ExampleLengths lengths; // of one dataset, also where there is none

        void add(uint32_t member, const RowPiece& piece) {
            if (piece.begin > 0) begins.resize(members.size(), 0);
            if (piece.begin > 0 || !begins.empty()) begins.push_back(static_cast<uint32_t>(piece.begin));
            members.push_back(member);
            lengths.add(piece.length, piece.trained);
        }
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

    // Which rows can be used: all but those that have no tokens, no mask, or nothing left within the length.
    void judgeRows() {
        const auto& [store, notes, numEncoded] = m_tokenised;
        m_result.m_stats.numEncoded = numEncoded;
        m_result.m_stats.numRows = store->size() + std::ssize(notes.lost);
        RowsToFind toFind(m_options);
        for (const LostRow& row : notes.lost) {
            toFind.saw({row.place.number, row.textHash});
            drop(row.place, row.problem);
        }
        for (uint32_t i = 0; i < store->size(); ++i) {
            const UsableRow row = candidateAt(i);
            toFind.saw({row.place.number, row.textHash});
            const RowLengths lengths = store->lengthsOf(i, m_options);
            if (const auto problem = lengthProblemOf(lengths, m_options)) {
                drop(store->read(i, 0, 0).place, *problem);
            } else {
                m_rows.push_back(row);
                m_members.push_back(i);
                m_trainedKept.push_back(static_cast<uint32_t>(lengths.trainedKept));
            }
        }
        if (const session::Remark gone = toFind.problem(); !gone.empty())
            throw invalidInput(gone.text(), kLostChoiceAdvice);
    }

    // What choices go by is read from the file only where there is one.
    UsableRow candidateAt(uint32_t member) const {
        const TokenStore& store = *m_tokenised.store;
        if (!m_options.leaveOut.empty() || !m_options.leaveOutRows.empty()) {
            const StoredRow row = store.read(member);
            return candidateOf(row.example.place, row.example.id, row.facts);
        }
        UsableRow row;
        row.id = store.entry(member).id;
        row.place.file = member < m_tokenised.notes.numForTraining ? 0 : static_cast<int32_t>(m_options.files.size());
        return row;
    }

    void takeRows(const Selection& selection) {
        DatasetStats& stats = m_result.m_stats;
        std::vector<bool> isLeftOut(m_rows.size(), false);
        for (const LeftOut& row : selection.leftOut)
            isLeftOut[row.row] = true;
        bool hasRowsOfFile = false; // of the one for validation, be they taken or not
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (isLeftOut[i]) continue;
            const StoredEntry& entry = m_tokenised.store->entry(m_members[i]);
            const RowLengths lengths = m_tokenised.store->lengthsOf(m_members[i], m_options, m_trainedKept[i]);
            stats.numTruncated += lengths.isTruncated() ? 1 : 0;
            stats.numSplit += lengths.pieces > 1 ? 1 : 0;
            stats.numPieces += lengths.pieces > 1 ? lengths.pieces : 0;
            stats.numTurnsWithoutEnd += entry.numTurnsWithoutEnd;
            hasRowsOfFile = hasRowsOfFile || m_rows[i].place.file >= std::ssize(m_options.files);
            if (selection.sides[i] == Side::kNeither) continue;
            Chosen& side = selection.sides[i] == Side::kTraining ? m_training : m_validation;
            for (int64_t piece = 0; piece < lengths.pieces; ++piece)
                side.add(m_members[i], pieceOf(lengths, piece, m_options));
        }
        if (m_training.members.empty()) throw nothingToTrain("");
        if (!m_options.validationFiles.empty() && !hasRowsOfFile) throw nothingToTrain(" for validation");
    }

    void drop(session::RowPlace place, const RowProblem& problem) {
        ++m_result.m_stats.numDropped[static_cast<std::size_t>(problem.reason())];
        m_result.m_dropped.push_back(dropped(place, problem));
    }

    session::DroppedRow dropped(session::RowPlace place, const RowProblem& problem) const {
        const auto file = static_cast<std::size_t>(place.file);
        return droppedRow(m_result.m_files[file], m_tokenised.notes.files[file].unit, place, problem);
    }

    ExampleSet setOf(Chosen chosen) const {
        return {m_tokenised.store,
                std::move(chosen.members),
                std::move(chosen.lengths),
                {std::move(chosen.begins), contextOf(m_options)}};
    }

    Error nothingToTrain(const char* purpose) const {
        std::string advice;
        for (const session::DroppedRow& row : m_result.m_dropped)
            if (advice.empty()) advice = adviceFor(row.reason);
        return invalidInput(fmt::format("There is no trained token in the data{}: {}. First: {}.", purpose,
                                        m_result.m_stats.summary(), m_result.m_dropped.front().text),
                            advice);
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
    const std::shared_ptr<const Tokenised> m_shared;
    const Tokenised& m_tokenised;
    std::vector<UsableRow> m_rows;       // that can be used
    std::vector<uint32_t> m_members;     // where these stand in the store
    std::vector<uint32_t> m_trainedKept; // as in RowLengths
    Chosen m_training, m_validation;
    Dataset m_result;
};

std::string Dataset::where(session::RowPlace place) const {
    const auto file = static_cast<std::size_t>(place.file);
    return placeText(m_files[file], m_units[file], place);
}

// Ids count the rows and places the files of all datasets.
void Dataset::append(Dataset next) {
    const auto firstFile = static_cast<int32_t>(m_files.size());
    m_training.append(std::move(next.m_training), m_stats.numRows, firstFile);
    m_validation.append(std::move(next.m_validation), m_stats.numRows, firstFile);
    for (session::DroppedRow& row : next.m_dropped) {
        row.place.file += firstFile;
        m_dropped.push_back(std::move(row));
    }
    std::ranges::move(next.m_files, std::back_inserter(m_files));
    std::ranges::move(next.m_units, std::back_inserter(m_units));
    std::ranges::move(next.m_tokenised, std::back_inserter(m_tokenised));
    m_stats.add(next.m_stats);
}

void DatasetStats::add(const DatasetStats& more) {
    numRows += more.numRows;
    numEncoded += more.numEncoded;
    numTruncated += more.numTruncated;
    numSplit += more.numSplit;
    numPieces += more.numPieces;
    numTurnsWithoutEnd += more.numTurnsWithoutEnd;
    numNotTaken += more.numNotTaken;
    std::ranges::transform(numDropped, more.numDropped, numDropped.begin(), std::plus<>());
}

Dataset Dataset::load(const DataOptions& options, const text::Tokenizer& tokenizer,
                      const text::ChatTemplate& chatTemplate, const LoadCallback& progress) {
    return DatasetLoader(options, tokenise(options, tokenizer, chatTemplate, progress)).load();
}

Dataset Dataset::load(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                      const text::ChatTemplate& chatTemplate, const LoadCallback& progress) {
    if (datasets.size() == 1) return load(datasets.front(), tokenizer, chatTemplate, progress);
    ProgressOfAll ofAll(datasets, progress);
    Dataset all;
    for (std::size_t i = 0; i < datasets.size(); ++i)
        namingDataset(i, [&] { all.append(load(datasets[i], tokenizer, chatTemplate, ofAll.next())); });
    return all;
}

} // namespace roundpipe::data
