// What is counted of the rows that training takes, one after another. Internal to this folder.
#pragma once

#include "data/encode/special_tokens.h"
#include "data/rows/row_problem.h"
#include "data/store/length_limit.h"
#include "data/store/row_facts.h"
#include "session/workbench.h"

#include <cstdint>
#include <map>

namespace roundpipe::data {

// How many rows a report lists of each kind: the first ones.
inline constexpr std::size_t kMaxExamples = 1000;

// Used by one thread.
class Tally {
public:
    void add(session::RowPlace place, const RowFacts& facts, const RowLengths& lengths);
    // Fills in what was counted, and leaves the rest as it is, and the arguments of what is not used to the caller.
    void writeTo(session::DatasetReport& report, const SpecialTokenFinder& specialTokens) const;

private:
    session::DatasetReport m_counts;
    std::map<RowRemark, session::RowSample> m_notUsed;
    std::map<MaskSource, int64_t> m_maskSources;
    std::map<int32_t, session::SpecialTokenUse> m_specials; // by id; without the token's spelling
};

} // namespace roundpipe::data
