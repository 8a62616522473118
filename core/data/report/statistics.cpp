#include "data/report/statistics.h"

#include "data/encode/token_mask.h"
#include "data/report/length_statistics.h"
#include "data/store/split.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kMaxExamples = 20;

void note(session::DuplicateCounts& counts, session::RowPlace row, session::RowPlace earlier) {
    ++counts.numRows;
    if (counts.examples.size() < kMaxExamples) counts.examples.push_back({row, earlier});
}

std::vector<session::NamedCount> listed(const std::map<std::string, int64_t>& counts) {
    std::vector<session::NamedCount> list;
    for (const auto& [name, count] : counts)
        list.push_back({name, count});
    std::ranges::stable_sort(list, std::ranges::greater{}, &session::NamedCount::count);
    return list;
}

} // namespace

StatisticsCollector::StatisticsCollector(const DataOptions& options, const text::Tokenizer& tokenizer)
    : m_options(options), m_files(options.allFiles()), m_specialTokens(tokenizer) {
    // Limits whose cost is told whatever the run's own limit is.
    std::set<int64_t> choices = {128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072};
    choices.insert(options.maxLength);
    for (const int64_t length : choices)
        m_report.lengths.choices.push_back({length, 0, 0, 0});
    m_report.lengthLimit = options.maxLength;
}

void StatisticsCollector::beginFile(const std::string& unit) {
    m_report.files.push_back(m_files[m_report.files.size()].string());
    m_report.units.push_back(unit);
}

void StatisticsCollector::visit(const LostRow& row) {
    drop(row.place, row.problem);
}

void StatisticsCollector::visit(const StoredRow& row) {
    const RowLengths lengths = lengthsOf(row.example.trained, m_options.maxLength);
    addLength(row.example.trained, lengths);
    if (const auto problem = lengthProblemOf(lengths, m_options))
        drop(row.example.place, *problem);
    else
        use(row, lengths);
}

void StatisticsCollector::drop(session::RowPlace place, const RowProblem& problem) {
    ++m_report.numRows;
    ++m_dropReasons[toString(problem.reason())];
    if (m_report.dropAdvice.empty()) m_report.dropAdvice = adviceFor(problem.reason());
    m_report.dropped.push_back(droppedRow(m_report.files.back(), m_report.units.back(), place, problem));
}

void StatisticsCollector::use(const StoredRow& row, const RowLengths& lengths) {
    ++m_report.numRows;
    m_used.push_back({row.example.place, row.example.id});
    m_kept.add(lengths.kept, lengths.trainedKept);
    m_hashes.push_back({row.facts.tokenHash, row.facts.bands, false});
    count(row.facts, lengths);
    for (const int32_t id : row.facts.specialTokens) {
        session::SpecialTokenUse& use = m_specials[id];
        if (use.numRows++ == 0) use.example = row.example.place;
    }
}

void StatisticsCollector::count(const RowFacts& facts, const RowLengths& lengths) {
    ++m_report.numUsed;
    m_report.numTokens += lengths.kept;
    m_report.numTrained += lengths.trainedKept;
    m_report.numTruncated += lengths.kept < lengths.length ? 1 : 0;
    m_report.numEmptyTurns += facts.hasEmptyTurn ? 1 : 0;
    m_report.numOneSided += facts.isOneSided ? 1 : 0;
    m_report.numUnanswered += facts.isUnanswered ? 1 : 0;
    m_report.numWithoutEnd += facts.numTurnsWithoutEnd > 0 ? 1 : 0;
    m_report.numWithoutBos += facts.lacksBos ? 1 : 0;
    m_report.numDoubledBos += facts.doublesBos ? 1 : 0;
    ++m_maskSources[toString(facts.maskedBy)];
}

void StatisticsCollector::addLength(std::span<const uint8_t> trained, const RowLengths& lengths) {
    m_lengths.push_back(static_cast<int32_t>(lengths.length));
    for (session::LengthChoice& choice : m_report.lengths.choices) {
        if (lengths.length <= choice.length) break; // they ascend
        ++choice.numOver;
        choice.lostTokens += lengths.length - choice.length;
        choice.lostTrained += lengths.trained - numTrainedOf(trained.first(static_cast<std::size_t>(choice.length)));
    }
}

session::DatasetReport StatisticsCollector::soFar() const {
    session::DatasetReport report = m_report;
    report.dropReasons = listed(m_dropReasons);
    report.maskSources = listed(m_maskSources);
    for (const auto& [id, use] : m_specials)
        report.specialTokens.push_back({m_specialTokens.spellingOf(id), use.numRows, use.example});
    std::ranges::stable_sort(report.specialTokens, std::ranges::greater{}, &session::SpecialTokenUse::numRows);
    describeLengths(m_lengths, report.lengths);
    return report;
}

session::DatasetReport StatisticsCollector::finished() const {
    session::DatasetReport report = soFar();
    const std::vector<bool> isValidation = validationRows();
    for (std::size_t i = 0; i < m_used.size(); ++i)
        (isValidation[i] ? report.validation : report.training).add(m_kept.tokens()[i], m_kept.trained()[i]);
    compareRows(isValidation, report);
    report.refusal = refusal(report);
    report.isComplete = true;
    return report;
}

std::vector<bool> StatisticsCollector::validationRows() const {
    std::vector<bool> isValidation(m_used.size(), false);
    if (!m_options.validationFile.empty()) {
        const auto file = static_cast<int32_t>(m_options.files.size());
        for (std::size_t i = 0; i < m_used.size(); ++i)
            isValidation[i] = m_used[i].place.file == file;
        return isValidation;
    }
    std::vector<int64_t> ids;
    for (const UsedRow& row : m_used)
        ids.push_back(row.id);
    return chosenBySeed(ids, numValidationRows(static_cast<int64_t>(ids.size()), m_options), m_options.seed);
}

void StatisticsCollector::compareRows(const std::vector<bool>& isValidation, session::DatasetReport& report) const {
    std::vector<RowHashes> hashes = m_hashes;
    for (std::size_t i = 0; i < hashes.size(); ++i)
        hashes[i].isValidation = isValidation[i];
    const Repeats repeats = repeatsOf(hashes);
    const auto noteIfAny = [&](int64_t match, std::size_t row, session::DuplicateCounts& training,
                               session::DuplicateCounts& validation) {
        if (match < 0) return;
        note(isValidation[row] ? validation : training, m_used[row].place,
             m_used[static_cast<std::size_t>(match)].place);
    };
    for (std::size_t i = 0; i < m_used.size(); ++i) {
        noteIfAny(repeats.exact[i], i, report.exact, report.leaked);
        noteIfAny(repeats.near[i], i, report.near, report.nearlyLeaked);
    }
}

// In the words of Dataset::load, which refuses the run for the same reasons.
std::string StatisticsCollector::refusal(const session::DatasetReport& report) const {
    const batch::ExampleLengths& training = report.training;
    if (training.numTrained() == 0) return "There is no trained token in the data.";
    const double share = training.trainedShare();
    if (share >= m_options.minTrainedShare) return {};
    return fmt::format("Only {} of {} tokens ({:.3g} %) would be trained, less than {:.3g} %.", training.numTrained(),
                       training.numTokens(), 100 * share, 100 * m_options.minTrainedShare);
}

} // namespace roundpipe::data
