#include "data/report/statistics.h"

#include "data/report/length_statistics.h"
#include "data/store/split.h"

#include <algorithm>

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

StatisticsCollector::StatisticsCollector(const DataOptions& options, const SpecialTokenFinder& finder)
    : m_options(options), m_finder(finder) {
    m_report.lengthLimit = options.maxLength;
    for (const int64_t length : kLengthChoices)
        m_report.lengths.choices.push_back({length, 0, 0, 0});
    const bool isListed = std::ranges::find(kLengthChoices, options.maxLength) != kLengthChoices.end();
    if (!isListed) m_report.lengths.choices.push_back({options.maxLength, 0, 0, 0});
}

void StatisticsCollector::beginFile(const std::string& path, const char* unit) {
    m_report.files.push_back(path);
    m_report.units.emplace_back(unit);
}

void StatisticsCollector::add(int64_t number, const RowFacts* facts, const RowProblem* problem) {
    const session::RowPlace place{static_cast<int32_t>(m_report.files.size()) - 1, number};
    if (facts != nullptr) addLength(*facts);
    if (problem != nullptr)
        drop(place, *problem);
    else
        use(place, *facts);
    ++m_report.numRows;
}

void StatisticsCollector::drop(session::RowPlace place, const RowProblem& problem) {
    const auto file = static_cast<std::size_t>(place.file);
    ++m_dropReasons[toString(problem.reason())];
    if (m_report.dropAdvice.empty()) m_report.dropAdvice = adviceFor(problem.reason());
    m_report.dropped.push_back(
        {place, toString(problem.reason()), problem.what(),
         fmt::format("'{}', {} {}: {}", m_report.files[file], m_report.units[file], place.number, problem.what())});
}

void StatisticsCollector::use(session::RowPlace place, const RowFacts& facts) {
    m_used.push_back({place, m_report.numRows});
    m_kept.add(facts.kept, facts.trainedKept);
    m_hashes.push_back({facts.tokenHash, facts.bands, false});
    count(facts);
    for (const int32_t id : facts.specialTokens) {
        session::SpecialTokenUse& use = m_specials[id];
        if (use.numRows++ == 0) use.example = place;
    }
}

void StatisticsCollector::count(const RowFacts& facts) {
    ++m_report.numUsed;
    m_report.numTokens += facts.kept;
    m_report.numTrained += facts.trainedKept;
    m_report.numTruncated += facts.kept < facts.length ? 1 : 0;
    m_report.numEmptyTurns += facts.hasEmptyTurn ? 1 : 0;
    m_report.numOneSided += facts.isOneSided ? 1 : 0;
    m_report.numUnanswered += facts.isUnanswered ? 1 : 0;
    m_report.numWithoutEnd += facts.hasOpenTurn ? 1 : 0;
    m_report.numWithoutBos += facts.lacksBos ? 1 : 0;
    m_report.numDoubledBos += facts.doublesBos ? 1 : 0;
    ++m_maskSources[toString(facts.maskedBy)];
}

void StatisticsCollector::addLength(const RowFacts& facts) {
    m_lengths.push_back(static_cast<int32_t>(facts.length));
    for (std::size_t i = 0; i < m_report.lengths.choices.size(); ++i) {
        session::LengthChoice& choice = m_report.lengths.choices[i];
        if (facts.length <= choice.length) continue;
        const int64_t within = i < facts.trainedWithin.size() ? facts.trainedWithin[i] : facts.trainedKept;
        ++choice.numOver;
        choice.lostTokens += facts.length - choice.length;
        choice.lostTrained += facts.trained - within;
    }
}

session::DatasetReport StatisticsCollector::soFar() const {
    session::DatasetReport report = m_report;
    report.dropReasons = listed(m_dropReasons);
    report.maskSources = listed(m_maskSources);
    for (const auto& [id, use] : m_specials)
        report.specialTokens.push_back({m_finder.spellingOf(id), use.numRows, use.example});
    std::ranges::stable_sort(report.specialTokens, std::ranges::greater{}, &session::SpecialTokenUse::numRows);
    describeLengths(m_lengths, report.lengths);
    std::ranges::sort(report.lengths.choices, {}, &session::LengthChoice::length);
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
