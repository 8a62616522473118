// SPDX-License-Identifier: GPL-3.0-or-later
// Rows, one after another → a dataset's report, all but its statistics of lengths (JoinedReport). Internal to this
// folder.
//
// Memory: about 120 bytes a used row (place, lengths, hashes), and the texts of the dropped ones; nothing of the
// tokens.
#pragma once

#include "data/encode/checks/rendered_chat.h"
#include "data/options.h"
#include "data/report/across_datasets.h"
#include "data/report/tally.h"
#include "data/store/choice/selection.h"
#include "data/store/tokens/tokenised.h"
#include "session/workbench.h"

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::data {

// Used by one thread.
class StatisticsCollector final : public RowVisitor {
public:
    StatisticsCollector(const DataOptions& options, const text::Tokenizer& tokenizer,
                        const text::ChatTemplate& chatTemplate);

    void beginFile(const std::string& unit) override;
    void visit(const StoredRow& row) override;
    void visit(const LostRow& row) override;

    session::DatasetReport soFar() const; // all but what needs to know every row: sides, repeats, rows left out
    // Once every row was seen; `store` holds them.
    // `across`, where there is one, is given the rows and their sides.
    session::DatasetReport finished(const TokenStore& store, AcrossDatasets* across) const;
    const std::vector<int32_t>& lengths() const { return m_lengths; } // of the rows with tokens, whole

private:
    void drop(session::RowPlace place, const RowProblem& problem);
    void addLength(std::span<const uint8_t> trained, const RowLengths& lengths);
    void write(const Tally& tally, session::DatasetReport& report) const;
    Tally tallyWithout(const Selection& selection, const TokenStore& store) const;
    void takeRows(const Selection& selection, const TokenStore& store, session::DatasetReport& report) const;
    session::DroppedRow dropped(session::RowPlace place, const RowProblem& problem) const;
    session::Remark refusal(const session::DatasetReport& report) const;

    const DataOptions& m_options;
    const std::vector<std::filesystem::path> m_files;
    const SpecialTokenFinder m_specialTokens;
    const RenderedChat m_renderedChat;
    session::DatasetReport m_report; // files, rows, dropped ones
    Tally m_tally;                   // of all rows that can be used
    uint32_t m_numStored = 0;
    std::vector<UsableRow> m_rows;       // that can be used
    std::vector<uint32_t> m_members;     // where they stand in the store
    std::vector<uint32_t> m_trainedKept; // of them, as in RowLengths
    std::vector<int32_t> m_lengths;
    std::map<DropReason, int64_t> m_dropReasons;
    RowsToFind m_toFind;
};

} // namespace roundpipe::data
