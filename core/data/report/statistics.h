// Facts of rows, one after another → a dataset's report. Internal to this folder.
//
// Memory: about 100 bytes a used row (place, lengths, hashes), and the texts of the dropped ones; nothing of the
// tokens.
#pragma once

#include "data/options.h"
#include "data/report/repeats.h"
#include "data/report/row_facts.h"
#include "data/rows/row_problem.h"
#include "session/workbench.h"

#include <map>
#include <string>
#include <vector>

namespace roundpipe::data {

// Rows come in the order of the files. Used by one thread.
class StatisticsCollector {
public:
    StatisticsCollector(const DataOptions& options, const SpecialTokenFinder& finder);

    void beginFile(const std::string& path, const char* unit);
    // A row is used, or dropped for `problem`; one that was dropped before it had its mask has no facts.
    void add(int64_t number, const RowFacts* facts, const RowProblem* problem);

    int64_t numRows() const { return m_report.numRows; }
    session::DatasetReport soFar() const;    // all but what compares rows with each other
    session::DatasetReport finished() const; // once every row was added

private:
    struct UsedRow {
        session::RowPlace place;
        int64_t id = 0; // position among all rows, as in Dataset: decides the split
    };
    void drop(session::RowPlace place, const RowProblem& problem);
    void use(session::RowPlace place, const RowFacts& facts);
    void count(const RowFacts& facts);
    void addLength(const RowFacts& facts);
    std::vector<bool> validationRows() const; // of the used ones
    void compareRows(const std::vector<bool>& isValidation, session::DatasetReport& report) const;
    std::string refusal(const session::DatasetReport& report) const;

    const DataOptions& m_options;
    const SpecialTokenFinder& m_finder;
    session::DatasetReport m_report; // its plain counts
    std::vector<UsedRow> m_used;
    batch::ExampleLengths m_kept;    // of the used rows, after truncation
    std::vector<RowHashes> m_hashes; // of the used rows
    std::vector<int32_t> m_lengths;
    std::map<std::string, int64_t> m_dropReasons, m_maskSources;
    std::map<int32_t, session::SpecialTokenUse> m_specials;
};

} // namespace roundpipe::data
