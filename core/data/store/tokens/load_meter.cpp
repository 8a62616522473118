// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/tokens/load_meter.h"

#include "base/error.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::data {

LoadMeter::LoadMeter(std::vector<int64_t> fileBytes, const LoadCallback& progress)
    : m_callback(progress)
    , m_fileBytes(std::move(fileBytes))
    , m_totalBytes(std::max<int64_t>(1, std::accumulate(m_fileBytes.begin(), m_fileBytes.end(), int64_t{0})))
    , m_began(std::chrono::steady_clock::now()) {}

void LoadMeter::hashed(int64_t) {
    m_began = std::chrono::steady_clock::now();
    report();
}

void LoadMeter::encoded(int64_t numRows, int64_t bytesOfFile) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_began;
    const double seconds = std::max(elapsed.count(), 1e-6);
    m_progress.numRows = numRows;
    m_progress.fraction =
        std::min(1.0, static_cast<double>(m_finishedBytes + bytesOfFile) / static_cast<double>(m_totalBytes));
    m_progress.rowsPerSecond = static_cast<double>(numRows) / seconds;
    if (m_progress.fraction > 0)
        m_progress.remainingSeconds = seconds * (1 - m_progress.fraction) / m_progress.fraction;
    report();
}

void LoadMeter::finishedFile() {
    m_finishedBytes += m_fileBytes[m_file++];
}

void LoadMeter::shown(int64_t numRows, int64_t numAll) {
    m_progress = {numRows, static_cast<double>(numRows) / static_cast<double>(numAll)};
    report();
}

void LoadMeter::report() {
    if (m_callback && !m_callback(m_progress)) throw Error(ErrorKind::kCancelled, "Reading the data was cancelled.");
}

} // namespace roundpipe::data
