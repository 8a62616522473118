// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/token_batch.h"

#include <algorithm>

namespace roundpipe {

int64_t TokenBatch::numTrained() const {
    return static_cast<int64_t>(labels.size()) - std::count(labels.begin(), labels.end(), kIgnoredLabel);
}

int64_t TokenBatch::maxLength() const {
    int32_t longest = 0;
    for (std::size_t s = 0; s + 1 < starts.size(); ++s)
        longest = std::max(longest, starts[s + 1] - starts[s]);
    return longest;
}

} // namespace roundpipe
