// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/progress_of_all.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::data {
namespace {

int64_t bytesOf(const std::vector<std::filesystem::path>& files) {
    int64_t bytes = 0;
    for (const std::filesystem::path& file : files) {
        std::error_code missing; // whoever reads it says so
        const auto size = std::filesystem::file_size(file, missing);
        if (!missing) bytes += static_cast<int64_t>(size);
    }
    return bytes;
}

} // namespace

ProgressOfAll::ProgressOfAll(std::span<const DataOptions> datasets, const LoadCallback& progress)
    : m_callback(progress) {
    for (const DataOptions& options : datasets)
        m_bytes.push_back(std::max<int64_t>(1, bytesOf(options.allFiles())));
    m_bytesOfAll = std::accumulate(m_bytes.begin(), m_bytes.end(), int64_t{0});
}

LoadCallback ProgressOfAll::next() {
    ++m_numBegun;
    m_rowsBefore += std::exchange(m_rows, 0);
    if (!m_callback) return {};
    return [this](const LoadProgress& progress) {
        m_rows = std::max(m_rows, progress.numRows);
        return m_callback(ofAll(progress));
    };
}

LoadProgress ProgressOfAll::ofAll(LoadProgress progress) const {
    if (m_bytes.size() == 1) return progress;
    const auto before =
        std::accumulate(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(m_numBegun) - 1, int64_t{0});
    const auto all = static_cast<double>(m_bytesOfAll), own = static_cast<double>(m_bytes[m_numBegun - 1]);
    const double done = static_cast<double>(before) + progress.fraction * own, left = (1 - progress.fraction) * own;
    progress.numRows += m_rowsBefore;
    progress.fraction = done / all;
    if (progress.remainingSeconds && left > 0) *progress.remainingSeconds *= (all - done) / left;
    return progress;
}

} // namespace roundpipe::data
