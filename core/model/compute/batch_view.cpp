// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/batch_view.h"

namespace roundpipe::model {

std::vector<int32_t> trainedRows(const TokenBatch& batch) {
    std::vector<int32_t> rows;
    for (std::size_t t = 0; t < batch.labels.size(); ++t)
        if (batch.labels[t] != kIgnoredLabel) rows.push_back(static_cast<int32_t>(t));
    return rows;
}

} // namespace roundpipe::model
