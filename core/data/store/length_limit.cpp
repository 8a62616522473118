#include "data/store/length_limit.h"

#include "data/encode/token_mask.h"

#include <algorithm>

namespace roundpipe::data {

RowLengths lengthsOf(std::span<const uint8_t> trained, int64_t maxLength) {
    const auto length = std::ssize(trained);
    const int64_t kept = std::min(length, maxLength);
    return {length, numTrainedOf(trained), kept, numTrainedOf(trained.first(static_cast<std::size_t>(kept)))};
}

std::optional<RowProblem> lengthProblemOf(const RowLengths& row, const DataOptions& options) {
    if (row.length > row.kept && options.overLength == OverLength::kDrop)
        return RowProblem(DropReason::kTooLong, Remark(RowRemark::kTooManyTokens, row.length, options.maxLength));
    if (row.trainedKept > 0) return std::nullopt;
    if (row.trained > 0)
        return RowProblem(DropReason::kNoTrainedToken,
                          Remark(RowRemark::kNoneOfFirstTrained, row.length, options.maxLength));
    return RowProblem(DropReason::kNoTrainedToken, Remark(RowRemark::kNothingTrained));
}

} // namespace roundpipe::data
