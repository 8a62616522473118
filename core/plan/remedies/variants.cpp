// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/remedies/variants.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::plan {

SearchOptions quickly(const SearchOptions& options) {
    SearchOptions quick = options;
    quick.effort = std::min<int64_t>(options.effort, 100'000);
    return quick;
}

std::optional<ModelChoice> fitting(const ModelRequest& request, const SearchOptions& options) {
    try {
        return chooseForModel(request, options);
    } catch (const DoesNotFit&) {
        return std::nullopt;
    }
}

bool fits(const ModelRequest& request, const SearchOptions& options) {
    if (options.stop.stop_requested()) throw Error(ErrorKind::kCancelled, "Planning was cancelled.");
    return fitsSurely(request, options);
}

} // namespace roundpipe::plan
