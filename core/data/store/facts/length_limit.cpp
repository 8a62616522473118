// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/facts/length_limit.h"

#include "data/encode/spans/token_mask.h"

#include <algorithm>

namespace roundpipe::data {
namespace {

int64_t stepOf(const DataOptions& options) {
    return options.maxLength - contextOf(options);
}

} // namespace

int64_t contextOf(const DataOptions& options) {
    return std::clamp<int64_t>(options.overlap, 1, options.maxLength - 1);
}

std::optional<RowLengths> lengthsOf(int64_t length, int64_t numTrained, const DataOptions& options) {
    RowLengths row{length, numTrained, length, numTrained};
    if (length <= options.maxLength) return row;
    const bool isAllTrained = numTrained + 1 == length;
    if (!isAllTrained || options.overLength != OverLength::kSplit) return std::nullopt;
    row.pieces = 1 + (length - options.maxLength + stepOf(options) - 1) / stepOf(options);
    row.kept = length + (row.pieces - 1) * contextOf(options);
    return row;
}

RowLengths lengthsOf(std::span<const uint8_t> trained, const DataOptions& options) {
    const auto length = std::ssize(trained);
    const int64_t numTrained = numTrainedOf(trained);
    if (const auto row = lengthsOf(length, numTrained, options)) return *row;
    const auto kept = trained.first(static_cast<std::size_t>(options.maxLength));
    return {length, numTrained, options.maxLength, numTrainedOf(kept)};
}

std::optional<RowProblem> lengthProblemOf(const RowLengths& row, const DataOptions& options) {
    if (row.isTruncated() && options.overLength == OverLength::kDrop)
        return RowProblem(DropReason::kTooLong, Remark(RowRemark::kTooManyTokens, row.length, options.maxLength));
    if (row.trainedKept > 0) return std::nullopt;
    if (row.trained > 0)
        return RowProblem(DropReason::kNoTrainedToken,
                          Remark(RowRemark::kNoneOfFirstTrained, row.length, options.maxLength));
    return RowProblem(DropReason::kNoTrainedToken, Remark(RowRemark::kNothingTrained));
}

RowPiece pieceOf(const RowLengths& row, int64_t index, const DataOptions& options) {
    if (row.pieces == 1) return {0, row.kept, row.trainedKept};
    const int64_t begin = index * stepOf(options), length = std::min(options.maxLength, row.length - begin);
    return {begin, length, length - (index == 0 ? 1 : contextOf(options))};
}

} // namespace roundpipe::data
