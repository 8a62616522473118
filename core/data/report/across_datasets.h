// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of one of a run's datasets that stand in another one, too: datasets know nothing of each other, so only who sees
// all of them can tell. Internal to this folder.
#pragma once

#include "data/store/choice/repeats.h"
#include "data/store/choice/selection.h"
#include "session/workbench.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::data {

// About 60 bytes a row. Used by one thread.
class AcrossDatasets {
public:
    // The next dataset's rows and the side that each is on; their places count its files only.
    void add(std::span<const UsableRow> rows, std::span<const Side> sides, int32_t numFiles);
    // Of all that were added, with places that count the files of all.
    void writeTo(session::DatasetReport& report) const;

private:
    std::vector<RowHashes> m_hashes;
    std::vector<session::RowPlace> m_places;
    std::vector<std::size_t> m_firstRows; // of each dataset
    int32_t m_numFiles = 0;
};

} // namespace roundpipe::data
