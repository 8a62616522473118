// SPDX-License-Identifier: GPL-3.0-or-later
// What is counted of the rows that training takes, one after another. Internal to this folder.
#pragma once

#include "data/encode/checks/special_tokens.h"
#include "data/row_problem.h"
#include "data/store/facts/length_limit.h"
#include "data/store/facts/row_facts.h"
#include "session/workbench.h"

#include <cstdint>
#include <map>
#include <utility>

namespace roundpipe::data {

// How many rows a report lists of each kind: the first ones.
inline constexpr std::size_t kMaxExamples = 1000;

// Used by one thread.
class Tally {
public:
    explicit Tally(OverLength overLength) : m_overLength(overLength) {} // what becomes of rows over the limit
    void add(session::RowPlace place, const RowFacts& facts, const RowLengths& lengths);
    // `report` has its reasons of dropped rows. Fills in what was counted, and leaves the rest as it is, and to the
    // caller the arguments of what is not used that depend on the model or the columns.
    void writeTo(session::DatasetReport& report, const SpecialTokenFinder& specialTokens) const;

private:
    OverLength m_overLength;
    session::DatasetReport m_counts;
    std::map<std::pair<RowRemark, ChatForm>, session::RowSample> m_notUsed; // the form where it is another model's
    bool m_hasTag = false; // a row that says that its answer is a good one
    std::map<MaskSource, int64_t> m_maskSources;
    std::map<int32_t, session::SpecialTokenUse> m_specials; // by id; without the token's spelling
};

} // namespace roundpipe::data
