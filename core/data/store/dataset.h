// SPDX-License-Identifier: GPL-3.0-or-later
// Files → tokenised, masked examples for training and validation, with every dropped row listed.
#pragma once

#include "data/options.h"
#include "data/row_problem.h"
#include "data/store/examples.h"
#include "data/store/tokens/load_progress.h"
#include "text/tokenizer.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

struct Tokenised;

struct DatasetStats {
    int64_t numRows = 0;    // dropped ones included
    int64_t numEncoded = 0; // of them, for this dataset: none where they had been encoded before
    int64_t numTruncated = 0;
    int64_t numSplit = 0, numPieces = 0; // rows that are split, and what they become
    int64_t numTurnsWithoutEnd = 0;      // a model trained on such turns doesn't learn to stop
    int64_t numNotTaken = 0;             // rows that could be trained on, but for options.maxRows
    std::array<int64_t, spellings(DropReason()).size()> numDropped{};
    void add(const DatasetStats& more);
    std::string summary() const;       // "998 of 1 000 rows; dropped: 2 bad rows"
    std::string lengthSummary() const; // "3 rows become 17 pieces, 2 are cut off"; empty where all fit
};

// One dataset, or several one after another: each has files, a store and a split of its own, and no choice in one
// depends on another. Immutable once loaded; any thread may read it.
class Dataset {
public:
    // Reads all files, tokenises on options.numThreads threads (or takes what the cache has), applies the length limit,
    // splits off the validation rows. Throws kInvalidInput for a file without a usable row or a dataset without a
    // trained token (counting the reasons), kUnsupported for a kind of file, format or template that we don't know,
    // kIo, and kCancelled; of several datasets it says which one it is.
    static Dataset load(const DataOptions& options, const text::Tokenizer& tokenizer,
                        const text::ChatTemplate& chatTemplate, const LoadCallback& progress = {});
    static Dataset load(std::span<const DataOptions> datasets, const text::Tokenizer& tokenizer,
                        const text::ChatTemplate& chatTemplate, const LoadCallback& progress = {});

    const ExampleSet& training() const { return m_training; }
    const ExampleSet& validation() const { return m_validation; }
    const std::vector<session::DroppedRow>& dropped() const { return m_dropped; } // in the order of the files
    const std::vector<std::filesystem::path>& files() const { return m_files; }   // what RowPlace::file indexes
    std::string where(session::RowPlace place) const;                             // "'rows.jsonl', line 7"
    const DatasetStats& stats() const { return m_stats; }
    // What the rows of each dataset have become, for a report on them (report/survey.h).
    const std::vector<std::shared_ptr<const Tokenised>>& tokenised() const { return m_tokenised; }

private:
    friend class DatasetLoader;
    void append(Dataset next);

    ExampleSet m_training, m_validation;
    std::vector<session::DroppedRow> m_dropped;
    std::vector<std::filesystem::path> m_files;
    std::vector<std::string> m_units; // [file]: what its rows' numbers count
    DatasetStats m_stats;
    std::vector<std::shared_ptr<const Tokenised>> m_tokenised;
};

} // namespace roundpipe::data
