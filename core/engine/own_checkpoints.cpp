// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/own_checkpoints.h"

#include "base/error.h"
#include "base/log.h"
#include "runs/changes.h"
#include "runs/checkpoint_manifest.h"
#include "runs/training_state.h"

#include <system_error>

namespace roundpipe::engine {

namespace {

namespace fs = std::filesystem;

// What can't be read is in nobody's way as a checkpoint.
std::string sealOf(const fs::path& checkpoint) {
    try {
        return runs::sealOf(checkpoint);
    } catch (const Error& error) {
        log::warning(error.message());
        return {};
    }
}

// What says nothing of it is the run's.
bool isOfAnother(const fs::path& checkpoint, const std::string& run) {
    try {
        const runs::FoundCheckpoint found{checkpoint, runs::readTrainingState(checkpoint)};
        return found.state.run != run && !runs::changedRun(found).empty();
    } catch (const Error&) { // damaged, or none
        return false;
    }
}

} // namespace

OwnCheckpoints::OwnCheckpoints(const runs::RunFiles& files, const std::string& run) {
    std::error_code failed;
    for (fs::directory_iterator entry(files.checkpoints(), failed), end; !failed && entry != end;
         entry.increment(failed))
        if (!isOfAnother(entry->path(), run)) add(sealOf(entry->path()));
}

bool OwnCheckpoints::knows(const fs::path& checkpoint) const {
    const std::string seal = sealOf(checkpoint);
    return seal.empty() || m_seals.contains(seal);
}

} // namespace roundpipe::engine
