#include "data/store/length_limit.h"

#include "data/encode/token_mask.h"

#include <algorithm>

#include <fmt/format.h>

namespace roundpipe::data {

RowLengths lengthsOf(std::span<const uint8_t> trained, int64_t maxLength) {
    const auto length = std::ssize(trained);
    const int64_t kept = std::min(length, maxLength);
    return {length, numTrainedOf(trained), kept, numTrainedOf(trained.first(static_cast<std::size_t>(kept)))};
}

std::optional<RowProblem> lengthProblemOf(const RowLengths& row, const DataOptions& options) {
    if (row.length > row.kept && options.overLength == OverLength::kDrop)
        return RowProblem(DropReason::kTooLong,
                          fmt::format("has {} tokens, more than {}", row.length, options.maxLength));
    if (row.trainedKept > 0) return std::nullopt;
    if (row.trained > 0)
        return RowProblem(DropReason::kNoTrainedToken, fmt::format("has {} tokens, and none of the first {} is trained",
                                                                   row.length, options.maxLength));
    return RowProblem(DropReason::kNoTrainedToken, "has no trained token");
}

} // namespace roundpipe::data
