// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the rows that can be used a run trains on, which it validates on, and which are left out by choice: for the
// dataset and for its report alike. Internal to this folder.
//
// Rows are drawn for validation first and left out afterwards, so leaving rows out moves no other row from one side to
// the other.
#pragma once

#include "data/options.h"
#include "data/row_problem.h"
#include "data/store/choice/split.h"
#include "data/store/facts/row_facts.h"
#include "session/workbench.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace roundpipe::data {

// A row that can be used, and what choices go by.
struct UsableRow {
    session::RowPlace place;
    int64_t id = 0;        // as in Dataset: decides the split
    uint64_t textHash = 0; // these as in RowFacts
    uint64_t tokenHash = 0;
    std::optional<Bands> bands;
    bool hasEmptyTurn = false;
};
UsableRow candidateOf(session::RowPlace place, int64_t id, const RowFacts& facts);

// A row that is like another one; `kind` is one of the four rules on that.
struct Repeat {
    LeaveOut kind = LeaveOut::kDuplicates;
    std::size_t row = 0, earlier = 0; // among the candidates; `earlier` is to train on
};

struct LeftOut {
    std::size_t row = 0; // among the candidates
    RowProblem problem;
};

struct Selection {
    std::vector<Side> sides;           // of each candidate; kNeither where it is left out
    std::vector<LeftOut> leftOut;      // in the order of the candidates
    std::vector<std::size_t> notTaken; // could be trained on, but for options.maxRows; ascending
    std::vector<Repeat> repeats;       // of those that stay, in their order
};

// Single rows are left out first, then those beyond options.maxRows, then repeats among the rest: a row that is not
// taken is nobody's duplicate. Repeats are looked for where a rule asks for it, or the caller. Takes O(rows) time.
Selection selectionOf(std::span<const UsableRow> rows, const DataOptions& options, bool findsRepeats);

// Why a row is left out whatever other rows there are; nothing: it is not.
std::optional<RowProblem> leftOutByItself(session::RowKey key, bool hasEmptyTurn, const DataOptions& options);

// The rows to leave out one by one that have not been seen yet. A file that was changed has lost them, or has them in
// another place: then what was chosen cannot be done.
class RowsToFind {
public:
    explicit RowsToFind(const DataOptions& options)
        : m_keys(options.leaveOutRows.begin(), options.leaveOutRows.end()) {}
    void saw(session::RowKey key) {
        if (!m_keys.empty()) m_keys.erase(key);
    }
    session::Remark problem() const; // empty once all were seen

private:
    std::set<session::RowKey> m_keys;
};

} // namespace roundpipe::data
