// SPDX-License-Identifier: GPL-3.0-or-later
// Which checkpoints in its folder a run has made, or found there: another run's may be put in their place meanwhile.
#pragma once

#include "runs/run_files.h"

#include <filesystem>
#include <set>
#include <string>

namespace roundpipe::engine {

class OwnCheckpoints {
public:
    // Those that are there now, but for such that other runs have made (runs::changedRun) than the one of that name.
    OwnCheckpoints(const runs::RunFiles& files, const std::string& run);

    void add(const std::string& seal) { m_seals.insert(seal); } // of one that was written just now
    // By its manifest, so wherever it was moved. What has none is not told apart, and known.
    bool knows(const std::filesystem::path& checkpoint) const;

private:
    std::set<std::string> m_seals;
};

} // namespace roundpipe::engine
