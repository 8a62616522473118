// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/choice/selection.h"

#include "base/hash.h"
#include "data/store/choice/repeats.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

constexpr std::array kOfRepeats = {LeaveOut::kDuplicates, LeaveOut::kNearDuplicates, LeaveOut::kLeaks,
                                   LeaveOut::kNearLeaks};

// Among the rows that are for training or validation, in their order.
std::vector<Repeat> repeatsAmong(std::span<const UsableRow> rows, std::span<const Side> sides) {
    std::vector<std::size_t> members;
    std::vector<RowHashes> hashes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (sides[i] == Side::kNeither) continue;
        members.push_back(i);
        hashes.push_back({rows[i].tokenHash, rows[i].bands, sides[i] == Side::kValidation});
    }
    const Repeats found = repeatsOf(hashes);
    std::vector<Repeat> repeats;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const bool isExact = found.exact[i] >= 0, leaks = hashes[i].isValidation;
        const int64_t match = isExact ? found.exact[i] : found.near[i];
        if (match < 0) continue;
        const LeaveOut kind = leaks ? (isExact ? LeaveOut::kLeaks : LeaveOut::kNearLeaks)
                                    : (isExact ? LeaveOut::kDuplicates : LeaveOut::kNearDuplicates);
        repeats.push_back({kind, members[i], members[static_cast<std::size_t>(match)]});
    }
    return repeats;
}

RowProblem problemOf(const Repeat& repeat, session::RowPlace earlier, const DataOptions& options) {
    RowRemark remark = RowRemark::kLeftOutDuplicate;
    if (repeat.kind == LeaveOut::kNearDuplicates) remark = RowRemark::kLeftOutNearDuplicate;
    if (repeat.kind == LeaveOut::kLeaks) remark = RowRemark::kLeftOutLeak;
    if (repeat.kind == LeaveOut::kNearLeaks) remark = RowRemark::kLeftOutNearLeak;
    const std::string file = options.allFiles()[static_cast<std::size_t>(earlier.file)].filename().string();
    return {DropReason::kLeftOut, Remark(remark, earlier.number, file)};
}

// Which rows to train on are too many; ascending.
std::vector<std::size_t> notTakenOf(std::span<const UsableRow> rows, std::span<const Side> sides,
                                    const DataOptions& options) {
    std::vector<std::size_t> training;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (sides[i] == Side::kTraining) training.push_back(i);
    if (options.maxRows <= 0 || std::ssize(training) <= options.maxRows) return {};
    if (options.subset == Subset::kRandom) { // by another hash than the split's, which has the smallest already
        const uint64_t seed = mixed(options.seed, hashName("subset"));
        std::ranges::stable_sort(training, {},
                                 [&](std::size_t i) { return mixed(seed, static_cast<uint64_t>(rows[i].id)); });
    }
    training.erase(training.begin(), training.begin() + options.maxRows);
    std::ranges::sort(training);
    return training;
}

} // namespace

UsableRow candidateOf(session::RowPlace place, int64_t id, const RowFacts& facts) {
    return {place, id, facts.textHash, facts.tokenHash, facts.bands, facts.hasEmptyTurn};
}

std::optional<RowProblem> leftOutByItself(session::RowKey key, bool hasEmptyTurn, const DataOptions& options) {
    if (std::ranges::binary_search(options.leaveOutRows, key))
        return RowProblem(DropReason::kLeftOut, Remark(RowRemark::kLeftOutRow));
    if (hasEmptyTurn && options.leavesOut(LeaveOut::kEmptyTurns))
        return RowProblem(DropReason::kLeftOut, Remark(RowRemark::kLeftOutEmptyTurn));
    return std::nullopt;
}

Selection selectionOf(std::span<const UsableRow> rows, const DataOptions& options, bool findsRepeats) {
    std::vector<int64_t> ids;
    for (const UsableRow& row : rows)
        ids.push_back(row.id);
    const auto isInFiles = [&](const UsableRow& row) { return row.place.file < std::ssize(options.files); };
    const auto numFromFiles = static_cast<std::size_t>(std::ranges::count_if(rows, isInFiles));
    Selection selection{sidesOf(ids, numFromFiles, options), {}, {}, {}};
    const auto leaveOut = [&](std::size_t row, RowProblem problem) {
        selection.leftOut.push_back({row, std::move(problem)});
        selection.sides[row] = Side::kNeither;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (selection.sides[i] == Side::kNeither) continue;
        if (auto problem = leftOutByItself({rows[i].place.number, rows[i].textHash}, rows[i].hasEmptyTurn, options))
            leaveOut(i, std::move(*problem));
    }
    selection.notTaken = notTakenOf(rows, selection.sides, options);
    for (const std::size_t row : selection.notTaken)
        selection.sides[row] = Side::kNeither;
    const auto isOn = [&](LeaveOut rule) { return options.leavesOut(rule); };
    if (!findsRepeats && std::ranges::none_of(kOfRepeats, isOn)) return selection;
    for (const Repeat& repeat : repeatsAmong(rows, selection.sides)) {
        if (isOn(repeat.kind))
            leaveOut(repeat.row, problemOf(repeat, rows[repeat.earlier].place, options));
        else
            selection.repeats.push_back(repeat);
    }
    std::ranges::sort(selection.leftOut, {}, &LeftOut::row);
    return selection;
}

session::Remark RowsToFind::problem() const {
    if (m_keys.empty()) return {};
    return Remark(RowRemark::kRowsToLeaveOutGone, m_keys.size(), m_keys.begin()->text());
}

} // namespace roundpipe::data
