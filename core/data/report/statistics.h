// Rows, one after another → a dataset's report. Internal to this folder.
//
// Memory: about 100 bytes a used row (place, lengths, hashes), and the texts of the dropped ones; nothing of the
// tokens.
#pragma once

#include "data/options.h"
#include "data/report/repeats.h"
#include "data/store/tokenised.h"
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
    StatisticsCollector(const DataOptions& options, const text::Tokenizer& tokenizer);

    void beginFile(const std::string& unit) override;
    void visit(const StoredRow& row) override;
    void visit(const LostRow& row) override;

    session::DatasetReport soFar() const;    // all but what compares rows with each other
    session::DatasetReport finished() const; // once every row was seen

private:
    struct UsedRow {
        session::RowPlace place;
        int64_t id = 0; // as in Dataset: decides the split
    };
    void drop(session::RowPlace place, const RowProblem& problem);
    void use(const StoredRow& row, const RowLengths& lengths);
    void count(session::RowPlace place, const RowFacts& facts, const RowLengths& lengths);
    void addLength(std::span<const uint8_t> trained, const RowLengths& lengths);
    std::vector<bool> validationRows() const; // of the used ones
    void compareRows(const std::vector<bool>& isValidation, session::DatasetReport& report) const;
    session::Remark refusal(const session::DatasetReport& report) const;

    const DataOptions& m_options;
    const std::vector<std::filesystem::path> m_files;
    const SpecialTokenFinder m_specialTokens;
    session::DatasetReport m_report; // its plain counts
    std::vector<UsedRow> m_used;
    batch::ExampleLengths m_kept;    // of the used rows, after truncation
    std::vector<RowHashes> m_hashes; // of the used rows
    std::vector<int32_t> m_lengths;
    std::map<DropReason, int64_t> m_dropReasons;
    std::map<MaskSource, int64_t> m_maskSources;
    std::map<int32_t, session::SpecialTokenUse> m_specials;
};

} // namespace roundpipe::data
