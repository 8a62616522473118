// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/across_datasets.h"

#include "data/report/tally.h"

#include <algorithm>

namespace roundpipe::data {

void AcrossDatasets::add(std::span<const UsableRow> rows, std::span<const Side> sides, int32_t numFiles) {
    m_firstRows.push_back(m_hashes.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (sides[i] == Side::kNeither) continue;
        m_hashes.push_back({rows[i].tokenHash, rows[i].bands, sides[i] == Side::kValidation});
        m_places.push_back({rows[i].place.file + m_numFiles, rows[i].place.number});
    }
    m_numFiles += numFiles;
}

void AcrossDatasets::writeTo(session::DatasetReport& report) const {
    if (m_firstRows.size() < 2) return;
    const auto datasetOf = [&](std::size_t row) { return std::ranges::upper_bound(m_firstRows, row); };
    const Repeats repeats = repeatsOf(m_hashes);
    for (std::size_t row = 0; row < m_hashes.size(); ++row) {
        const int64_t like = repeats.exact[row] >= 0 ? repeats.exact[row] : repeats.near[row];
        if (like < 0 || datasetOf(row) == datasetOf(static_cast<std::size_t>(like))) continue;
        session::DuplicateCounts& counts = m_hashes[row].isValidation ? report.leakedAcross : report.repeatedAcross;
        ++counts.numRows;
        if (counts.examples.size() < kMaxExamples)
            counts.examples.push_back({m_places[row], m_places[static_cast<std::size_t>(like)]});
    }
}

} // namespace roundpipe::data
