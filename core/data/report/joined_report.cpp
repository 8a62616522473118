// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/joined_report.h"

#include "data/report/length_statistics.h"
#include "data/report/tally.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace roundpipe::data {
namespace {

using session::DatasetReport;

template <class Item>
void append(std::vector<Item>& all, std::vector<Item>&& more) {
    std::ranges::move(more, std::back_inserter(all));
}

// What is counted by a code or a name, the most frequent first.
template <class Count, class Key>
void addCounts(std::vector<Count>& all, std::vector<Count>&& more, Key Count::*key, int64_t Count::*number) {
    for (Count& count : more) {
        const auto known = std::ranges::find(all, count.*key, key);
        if (known == all.end())
            all.push_back(std::move(count));
        else
            (*known).*number += count.*number;
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, number);
}

template <class Sample>
void addSample(Sample& all, Sample&& more) {
    all.numRows += more.numRows;
    append(all.examples, std::move(more.examples));
    if (all.examples.size() > kMaxExamples) all.examples.resize(kMaxExamples);
}

// Of the same remark, in the order in which they were met.
void addNotUsed(std::vector<session::RowsNotUsed>& all, std::vector<session::RowsNotUsed>&& more) {
    for (session::RowsNotUsed& rows : more) {
        const auto known = std::ranges::find(all, rows.what, &session::RowsNotUsed::what);
        if (known == all.end())
            all.push_back(std::move(rows));
        else
            addSample(known->rows, std::move(rows.rows));
    }
}

void shift(session::RowPlace& place, int32_t files) {
    place.file += files;
}
void shift(session::RowPair& pair, int32_t files) {
    pair.row.file += files;
    pair.earlier.file += files;
}

template <class Items>
void shiftAll(Items& items, int32_t files) {
    for (auto& item : items)
        shift(item, files);
}

constexpr session::DuplicateCounts DatasetReport::*kRepeats[] = {&DatasetReport::exact, &DatasetReport::near,
                                                                 &DatasetReport::leaked, &DatasetReport::nearlyLeaked};
constexpr session::RowSample DatasetReport::*kSamples[] = {&DatasetReport::emptyTurns, &DatasetReport::oneSided,
                                                           &DatasetReport::unanswered, &DatasetReport::withoutEnd,
                                                           &DatasetReport::withoutBos, &DatasetReport::doubledBos};
constexpr int64_t DatasetReport::*kSums[] = {
    &DatasetReport::numRows,      &DatasetReport::numEncoded, &DatasetReport::numUsed,
    &DatasetReport::numNotTaken,  &DatasetReport::numTokens,  &DatasetReport::numTrained,
    &DatasetReport::numTruncated, &DatasetReport::numSplit,   &DatasetReport::numPieces};

void shiftPlaces(DatasetReport& report, int32_t files) {
    for (session::DroppedRow& row : report.dropped)
        shift(row.place, files);
    for (const auto repeats : kRepeats)
        shiftAll((report.*repeats).examples, files);
    for (const auto sample : kSamples)
        shiftAll((report.*sample).examples, files);
    for (session::SpecialTokenUse& use : report.specialTokens)
        shift(use.example, files);
    for (session::ColumnsNotRead& file : report.notRead)
        file.file += files;
    for (session::RowsNotUsed& rows : report.notUsed)
        shiftAll(rows.rows.examples, files);
}

// Both have the same limits: those that are told of every report, and the run's own.
void addChoices(std::vector<session::LengthChoice>& all, const std::vector<session::LengthChoice>& more) {
    if (all.empty()) all.resize(more.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].length = more[i].length;
        all[i].numOver += more[i].numOver;
        all[i].lostTokens += more[i].lostTokens;
        all[i].lostTrained += more[i].lostTrained;
    }
}

} // namespace

void JoinedReport::add(DatasetReport report, const std::vector<int32_t>& lengths) {
    const auto firstFile = static_cast<int32_t>(m_all.files.size());
    shiftPlaces(report, firstFile);
    m_all.datasets.push_back({firstFile, static_cast<int32_t>(report.files.size()), report.numRows, report.numUsed,
                              std::ssize(report.dropped), report.numNotTaken});
    append(m_all.files, std::move(report.files));
    append(m_all.units, std::move(report.units));
    m_all.isComplete = report.isComplete;
    m_all.lengthLimit = report.lengthLimit;
    for (const auto sum : kSums)
        m_all.*sum += report.*sum;
    addCounts(m_all.dropReasons, std::move(report.dropReasons), &session::DropCount::reason,
              &session::DropCount::count);
    addCounts(m_all.maskSources, std::move(report.maskSources), &session::MaskCount::source,
              &session::MaskCount::count);
    addCounts(m_all.specialTokens, std::move(report.specialTokens), &session::SpecialTokenUse::token,
              &session::SpecialTokenUse::numRows);
    append(m_all.dropped, std::move(report.dropped));
    append(m_all.notRead, std::move(report.notRead));
    append(m_all.leftOut, std::move(report.leftOut));
    addNotUsed(m_all.notUsed, std::move(report.notUsed));
    for (const auto repeats : kRepeats)
        addSample(m_all.*repeats, std::move(report.*repeats));
    for (const auto sample : kSamples)
        addSample(m_all.*sample, std::move(report.*sample));
    if (m_all.dropAdvice.empty()) m_all.dropAdvice = std::move(report.dropAdvice);
    if (m_all.refusal.empty()) m_all.refusal = std::move(report.refusal);
    m_all.training.append(report.training);
    m_all.validation.append(report.validation);
    addChoices(m_all.lengths.choices, report.lengths.choices);
    m_lengths.insert(m_lengths.end(), lengths.begin(), lengths.end());
}

DatasetReport JoinedReport::report() const {
    DatasetReport report = m_all;
    describeLengths(m_lengths, report.lengths);
    return report;
}

} // namespace roundpipe::data
