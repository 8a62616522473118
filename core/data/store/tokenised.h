// All rows of a dataset's files, tokenised and masked: from the cache, or read, encoded and put there. Internal to this
// folder.
#pragma once

#include "data/store/dataset.h"
#include "data/store/token_store.h"

#include <memory>
#include <string>
#include <vector>

namespace roundpipe::data {

struct LostRow {
    RowPlace place;
    DropReason reason = DropReason::kBadRow;
    std::string problem; // completes "line 7 …"
};

// What is known of a dataset besides its examples. Names of files are not part of it: the same content under another
// name is the same dataset.
struct TokenNotes {
    int64_t numRows = 0;
    int64_t numTruncated = 0;
    int64_t numTurnsWithoutEnd = 0;
    int64_t numForTraining = 0;     // examples before those of the validation file
    std::vector<std::string> units; // per file, of its rows' numbers
    std::vector<LostRow> lost;      // in the order of the files
};

struct Tokenised {
    std::shared_ptr<const TokenStore> store;
    TokenNotes notes;
};

// `files`: those of the options, the validation file behind them. Throws as Dataset::load does.
Tokenised tokenise(const std::vector<std::filesystem::path>& files, const DataOptions& options,
                   const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
                   const LoadCallback& progress);

// "'rows.jsonl', line 7: is not valid JSON"
std::string describe(const std::filesystem::path& file, const std::string& unit, int64_t number,
                     const std::string& problem);

} // namespace roundpipe::data
