// SPDX-License-Identifier: GPL-3.0-or-later
// The reports of a run's datasets → that of all of them. Internal to this folder.
#pragma once

#include "session/workbench.h"

#include <cstdint>
#include <vector>

namespace roundpipe::data {

// Used by one thread.
class JoinedReport {
public:
    // The next dataset's: its files and places count from those before on. `lengths`: of its rows with tokens.
    void add(session::DatasetReport report, const std::vector<int32_t>& lengths);
    // Of what was added. It would be refused where one of them would.
    session::DatasetReport report() const;

private:
    session::DatasetReport m_all;
    std::vector<int32_t> m_lengths;
};

} // namespace roundpipe::data
