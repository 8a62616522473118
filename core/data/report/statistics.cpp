#include "data/report/statistics.h"

#include "data/encode/token_mask.h"
#include "data/report/length_statistics.h"
#include "data/store/split.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kMaxExamples = 1000;

void note(session::DuplicateCounts& counts, session::RowPlace row, session::RowPlace earlier) {
    ++counts.numRows;
    if (counts.examples.size() < kMaxExamples) counts.examples.push_back({row, earlier});
}

void note(session::RowSample& sample, session::RowPlace row) {
    ++sample.numRows;
    if (sample.examples.size() < kMaxExamples) sample.examples.push_back(row);
}

// The most frequent first, equal ones by what they are called.
template <class Count, class Code>
std::vector<Count> listed(const std::map<Code, int64_t>& counts) {
    std::vector<Count> list;
    for (const auto& [code, count] : counts)
        list.push_back({code, count});
    std::ranges::sort(list, {}, [](const Count& one) {
        const auto& [code, count] = one;
        return std::pair(-count, std::string_view(spellingOf(code)));
    });
    return list;
}

} // namespace

StatisticsCollector::StatisticsCollector(const DataOptions& options, const text::Tokenizer& tokenizer)
    : m_options(options), m_files(options.allFiles()), m_specialTokens(tokenizer) {
    // Limits whose cost is told whatever the run's own limit is.
    constexpr int64_t kShortest = 16, kLongest = 131072, kPartsOfAnOctave = 4;
    std::set<int64_t> choices = {options.maxLength, kLongest};
    for (int64_t octave = kShortest; octave < kLongest; octave *= 2)
        for (int64_t part = 0; part < kPartsOfAnOctave; ++part)
            choices.insert(octave + part * octave / kPartsOfAnOctave);
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
    ++m_dropReasons[problem.reason()];
    if (m_report.dropAdvice.empty()) m_report.dropAdvice = adviceFor(problem.reason());
    m_report.dropped.push_back(droppedRow(m_report.files.back(), m_report.units.back(), place, problem));
}

void StatisticsCollector::use(const StoredRow& row, const RowLengths& lengths) {
    ++m_report.numRows;
    m_used.push_back({row.example.place, row.example.id});
    m_kept.add(lengths.kept, lengths.trainedKept);
    m_hashes.push_back({row.facts.tokenHash, row.facts.bands, false});
    count(row.example.place, row.facts, lengths);
    for (const int32_t id : row.facts.specialTokens) {
        session::SpecialTokenUse& use = m_specials[id];
        if (use.numRows++ == 0) use.example = row.example.place;
    }
}

void StatisticsCollector::count(session::RowPlace place, const RowFacts& facts, const RowLengths& lengths) {
    ++m_report.numUsed;
    m_report.numTokens += lengths.kept;
    m_report.numTrained += lengths.trainedKept;
    m_report.numTruncated += lengths.kept < lengths.length ? 1 : 0;
    if (facts.hasEmptyTurn) note(m_report.emptyTurns, place);
    if (facts.isOneSided) note(m_report.oneSided, place);
    if (facts.isUnanswered) note(m_report.unanswered, place);
    if (facts.numTurnsWithoutEnd > 0) note(m_report.withoutEnd, place);
    if (facts.lacksBos) note(m_report.withoutBos, place);
    if (facts.doublesBos) note(m_report.doubledBos, place);
    ++m_maskSources[facts.maskedBy];
}

void StatisticsCollector::addLength(std::span<const uint8_t> trained, const RowLengths& lengths) {
    m_lengths.push_back(static_cast<int32_t>(lengths.length));
    int64_t trainedBefore = 0;
    std::size_t seen = 1; // the first token is never trained
    for (session::LengthChoice& choice : m_report.lengths.choices) {
        if (lengths.length <= choice.length) break; // they ascend
        const auto limit = static_cast<std::size_t>(choice.length);
        if (limit > seen) trainedBefore += std::ranges::count(trained.subspan(seen, limit - seen), uint8_t{1});
        seen = std::max(seen, limit);
        ++choice.numOver;
        choice.lostTokens += lengths.length - choice.length;
        choice.lostTrained += lengths.trained - trainedBefore;
    }
}

session::DatasetReport StatisticsCollector::soFar() const {
    session::DatasetReport report = m_report;
    report.dropReasons = listed<session::DropCount>(m_dropReasons);
    report.maskSources = listed<session::MaskCount>(m_maskSources);
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
session::Remark StatisticsCollector::refusal(const session::DatasetReport& report) const {
    const batch::ExampleLengths& training = report.training;
    if (training.numTrained() == 0) return Remark(RowRemark::kNoTrainedTokenAtAll);
    const double share = training.trainedShare();
    if (share >= m_options.minTrainedShare) return {};
    const auto percent = [](double part) { return fmt::format("{:.3g}", 100 * part); };
    return Remark(RowRemark::kTooLittleTrained, training.numTrained(), training.numTokens(), percent(share),
                  percent(m_options.minTrainedShare));
}

} // namespace roundpipe::data
