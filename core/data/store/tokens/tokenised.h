// SPDX-License-Identifier: GPL-3.0-or-later
// All rows of a dataset's files, tokenised and masked, whole whatever their length: from the cache, or read, encoded
// and put there. Internal to this folder.
#pragma once

#include "data/options.h"
#include "data/row_problem.h"
#include "data/store/tokens/load_progress.h"
#include "data/store/tokens/token_store.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::data {

// A row that has no tokens or no mask, whatever its length.
struct LostRow {
    session::RowPlace place;
    RowProblem problem;
    uint64_t textHash = 0; // as in session::RowKey
};

struct FileNotes {
    std::string unit; // what its rows' numbers count
    int64_t numRows = 0;
};

// What is known of a dataset besides its rows with a mask. Names of files are not part of it: the same content under
// another name is the same dataset.
struct TokenNotes {
    std::vector<FileNotes> files;
    int64_t numForTraining = 0; // stored rows before those of the validation file
    std::vector<LostRow> lost;  // in the order of the files
};

struct Tokenised {
    std::shared_ptr<const TokenStore> store; // without a cache a file that has no name and goes with it
    TokenNotes notes;
    int64_t numEncoded = 0; // rows that were encoded for it; none where an earlier call has left it in the cache
};

// Sees every row, in the order of the files.
class RowVisitor {
public:
    virtual ~RowVisitor() = default;
    virtual void beginFile(const std::string& unit) = 0; // the options' next one; `unit`: what its rows' numbers count
    virtual void visit(const StoredRow& row) = 0;
    virtual void visit(const LostRow& row) = 0;
};

// As people are told of it: "'rows.jsonl', line 7: is not valid JSON".
std::string placeText(const std::filesystem::path& file, const std::string& unit, session::RowPlace place);
session::DroppedRow droppedRow(const std::filesystem::path& file, const std::string& unit, session::RowPlace place,
                               const RowProblem& problem);

// One pass over the rows, whoever wants them: they are encoded on options.numThreads threads of its own and go to the
// store and the visitor in order, from the calling thread. What an earlier call has left in the cache is shown to the
// visitor in the same way, and nothing is encoded. Throws as Dataset::load does, but for rows that cannot be used.
Tokenised tokenise(const DataOptions& options, const text::Tokenizer& tokenizer, const text::ChatTemplate& chatTemplate,
                   const LoadCallback& progress, RowVisitor* visitor = nullptr);

// Shows what that pass would have shown, without encoding anything. `shown`, where there is one, is told now and then
// how many rows of how many that were.
void show(const Tokenised& tokenised, RowVisitor& visitor,
          const std::function<void(int64_t rows, int64_t ofRows)>& shown = {});

} // namespace roundpipe::data
