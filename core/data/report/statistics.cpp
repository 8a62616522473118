// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/statistics.h"

#include "data/report/counted.h"
#include "data/report/inspect.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

void note(session::DuplicateCounts& counts, session::RowPlace row, session::RowPlace earlier) {
    ++counts.numRows;
    if (counts.examples.size() < kMaxExamples) counts.examples.push_back({row, earlier});
}

// By which the format alpaca makes chats of prompts and completions. What the system says is a column of its own there,
// by the name that is found where rows are chats already.
std::string chatColumns(const FileReport& report) {
    std::string prompt = "prompt", completion = "completion", others;
    bool hasSystem = false;
    for (const auto& [field, column] : report.format.columns) {
        if (field == "prompt")
            prompt = column;
        else if (field == "completion")
            completion = column;
        else
            others += fmt::format(",{}={}", field, column);
        hasSystem = hasSystem || field == "system";
    }
    const auto hasColumn = [&](const char* name) {
        const auto found = std::ranges::find(report.columns, name, &ColumnReport::name);
        return found != report.columns.end() && found->numRows > 0;
    };
    if (!hasSystem && !hasColumn("system") && hasColumn("system_prompt")) others += ",system=system_prompt";
    const bool isFilled = !report.format.prompt.empty();
    return fmt::format("{}output={}{}", isFilled ? "" : "instruction=" + prompt + ",", completion, others);
}

session::DuplicateCounts& countsOf(LeaveOut kind, session::DatasetReport& report) {
    switch (kind) {
    case LeaveOut::kNearDuplicates:
        return report.near;
    case LeaveOut::kLeaks:
        return report.leaked;
    case LeaveOut::kNearLeaks:
        return report.nearlyLeaked;
    default:
        return report.exact;
    }
}

} // namespace

StatisticsCollector::StatisticsCollector(const DataOptions& options, const text::Tokenizer& tokenizer,
                                         const text::ChatTemplate& chatTemplate)
    : m_options(options)
    , m_files(options.allFiles())
    , m_specialTokens(tokenizer)
    , m_renderedChat(options, tokenizer, chatTemplate)
    , m_tally(options.overLength)
    , m_toFind(options) {
    // Limits whose cost is told whatever the run's own limit is.
    constexpr int64_t kShortest = 16, kLongest = 131072, kPartsOfAnOctave = 4;
    std::set<int64_t> choices = {options.maxLength, kLongest};
    for (int64_t octave = kShortest; octave < kLongest; octave *= 2)
        for (int64_t part = 0; part < kPartsOfAnOctave; ++part)
            choices.insert(octave + part * octave / kPartsOfAnOctave);
    for (const int64_t length : choices)
        m_report.lengths.choices.push_back({length, 0, 0, 0});
    m_report.lengthLimit = options.maxLength;
    for (const SkippedFile& file : options.skippedFiles)
        m_report.leftOut.push_back({file.path.string(), file.reason});
}

void StatisticsCollector::beginFile(const std::string& unit) {
    m_report.files.push_back(m_files[m_report.files.size()].string());
    m_report.units.push_back(unit);
}

void StatisticsCollector::visit(const LostRow& row) {
    m_toFind.saw({row.place.number, row.textHash});
    drop(row.place, row.problem);
}

void StatisticsCollector::visit(const StoredRow& row) {
    const auto& [example, facts] = row;
    const uint32_t member = m_numStored++;
    m_toFind.saw({example.place.number, facts.textHash});
    const RowLengths lengths = lengthsOf(example.trained, m_options);
    addLength(example.trained, lengths);
    if (const auto problem = lengthProblemOf(lengths, m_options)) return drop(example.place, *problem);
    ++m_report.numRows;
    m_rows.push_back(candidateOf(example.place, example.id, facts));
    m_members.push_back(member);
    m_trainedKept.push_back(static_cast<uint32_t>(lengths.trainedKept));
    m_tally.add(example.place, facts, lengths);
}

void StatisticsCollector::drop(session::RowPlace place, const RowProblem& problem) {
    ++m_report.numRows;
    ++m_dropReasons[problem.reason()];
    if (m_report.dropAdvice.empty()) m_report.dropAdvice = adviceFor(problem.reason());
    m_report.dropped.push_back(dropped(place, problem));
}

session::DroppedRow StatisticsCollector::dropped(session::RowPlace place, const RowProblem& problem) const {
    const auto file = static_cast<std::size_t>(place.file);
    return droppedRow(m_report.files[file], m_report.units[file], place, problem);
}

void StatisticsCollector::addLength(std::span<const uint8_t> trained, const RowLengths& lengths) {
    m_lengths.push_back(static_cast<int32_t>(lengths.length));
    const bool isSplit = m_options.overLength == OverLength::kSplit && lengths.trained + 1 == lengths.length;
    int64_t trainedBefore = 0;
    std::size_t seen = 1; // the first token is never trained
    for (session::LengthChoice& choice : m_report.lengths.choices) {
        if (lengths.length <= choice.length) break; // they ascend
        const auto limit = static_cast<std::size_t>(choice.length);
        if (limit > seen) trainedBefore += std::ranges::count(trained.subspan(seen, limit - seen), uint8_t{1});
        seen = std::max(seen, limit);
        ++choice.numOver;
        if (isSplit) continue; // its pieces hold all of it
        choice.lostTokens += lengths.length - choice.length;
        choice.lostTrained += lengths.trained - trainedBefore;
    }
}

session::DatasetReport StatisticsCollector::soFar() const {
    session::DatasetReport report = m_report;
    report.dropReasons = counted<session::DropCount>(m_dropReasons);
    write(m_tally, report);
    return report;
}

// With what to set, where something of the rows is not used for want of a setting.
void StatisticsCollector::write(const Tally& tally, session::DatasetReport& report) const {
    tally.writeTo(report, m_specialTokens);
    for (session::RowsNotUsed& rows : report.notUsed) {
        const std::filesystem::path& file = m_files[static_cast<std::size_t>(rows.rows.examples.front().file)];
        if (rows.what.code == RowRemark::kPromptsWithoutTemplate)
            rows.what.arguments = {chatColumns(inspectBeginning(file, m_options.format))};
        if (rows.what.code == RowRemark::kRenderedChats)
            rows.what.arguments = {escaped(m_renderedChat.turns().begin), escaped(m_renderedChat.turns().end)};
    }
}

session::DatasetReport StatisticsCollector::finished(const TokenStore& store, AcrossDatasets* across) const {
    const Selection selection = selectionOf(m_rows, m_options, true);
    session::DatasetReport report = m_report;
    std::map<DropReason, int64_t> reasons = m_dropReasons;
    for (const auto& [row, problem] : selection.leftOut) {
        ++reasons[problem.reason()];
        report.dropped.push_back(dropped(m_rows[row].place, problem));
    }
    std::ranges::stable_sort(
        report.dropped, {}, [](const session::DroppedRow& row) { return std::pair(row.place.file, row.place.number); });
    report.dropReasons = counted<session::DropCount>(reasons);
    report.numNotTaken = std::ssize(selection.notTaken);
    const bool isAll = selection.leftOut.empty() && selection.notTaken.empty();
    write(isAll ? m_tally : tallyWithout(selection, store), report);
    if (!m_rows.empty())
        for (const RowRemark idle : idleTableSettings(m_options))
            report.notUsed.push_back({Remark(idle), {report.numUsed, {m_rows.front().place}}});
    takeRows(selection, store, report);
    if (across != nullptr) across->add(m_rows, selection.sides, static_cast<int32_t>(m_files.size()));
    report.refusal = refusal(report);
    report.isComplete = true;
    return report;
}

// Of the rows that stay: the facts of each are read again, so that no more of them need be kept.
Tally StatisticsCollector::tallyWithout(const Selection& selection, const TokenStore& store) const {
    Tally tally(m_options.overLength);
    std::vector<bool> isGone(m_rows.size(), false);
    for (const LeftOut& row : selection.leftOut)
        isGone[row.row] = true;
    for (const std::size_t row : selection.notTaken)
        isGone[row] = true;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (isGone[i]) continue;
        const StoredRow row = store.read(m_members[i]);
        tally.add(m_rows[i].place, row.facts, lengthsOf(row.example.trained, m_options));
    }
    return tally;
}

void StatisticsCollector::takeRows(const Selection& selection, const TokenStore& store,
                                   session::DatasetReport& report) const {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (selection.sides[i] == Side::kNeither) continue;
        batch::ExampleLengths& side = selection.sides[i] == Side::kValidation ? report.validation : report.training;
        const RowLengths lengths = store.lengthsOf(m_members[i], m_options, m_trainedKept[i]);
        for (int64_t index = 0; index < lengths.pieces; ++index) {
            const RowPiece piece = pieceOf(lengths, index, m_options);
            side.add(piece.length, piece.trained);
        }
    }
    for (const Repeat& repeat : selection.repeats)
        note(countsOf(repeat.kind, report), m_rows[repeat.row].place, m_rows[repeat.earlier].place);
}

// In the words of Dataset::load, which refuses the run for the same reasons.
session::Remark StatisticsCollector::refusal(const session::DatasetReport& report) const {
    if (const session::Remark gone = m_toFind.problem(); !gone.empty()) return gone;
    const batch::ExampleLengths& training = report.training;
    if (training.numTrained() == 0) return Remark(RowRemark::kNoTrainedTokenAtAll);
    const double share = training.trainedShare();
    if (share >= m_options.minTrainedShare) return {};
    const auto percent = [](double part) { return fmt::format("{:.3g}", 100 * part); };
    return Remark(RowRemark::kTooLittleTrained, training.numTrained(), training.numTokens(), percent(share),
                  percent(m_options.minTrainedShare));
}

} // namespace roundpipe::data
