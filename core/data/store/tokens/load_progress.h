// SPDX-License-Identifier: GPL-3.0-or-later
// How far the loading of a dataset has come.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace roundpipe::data {

struct LoadProgress {
    int64_t numRows = 0;
    double fraction = 0;      // of the bytes of all files
    double rowsPerSecond = 0; // 0 and none where they are not known
    std::optional<double> remainingSeconds = std::nullopt;
};
using LoadCallback = std::function<bool(const LoadProgress&)>; // false: cancel. Called from the loading thread

} // namespace roundpipe::data
