// SPDX-License-Identifier: GPL-3.0-or-later
// What a running run can be told.
#pragma once

#include "base/spelling.h"

#include <array>
#include <string>
#include <vector>

namespace roundpipe::session {

// Carried out in the order in which they were sent, between two optimizer steps or after the last one, where the
// results stand and all prompts are answered; what comes later is answered by a warning. A pause ends with kResume. The
// two that stop are not queued: they count from when they are sent, overtake all others (which are dropped), and end a
// pause.
struct Command {
    enum class Kind {
        kPause,          // no more steps until kResume; all memory is kept. Commands are carried out meanwhile
        kResume,         // no-op unless paused
        kSave,           // the last checkpoint, from which a run can be resumed. Answer: kCheckpointSaved
        kValidate,       // a best checkpoint where it is the lowest loss so far. Answer: kValidated, or a warning
        kSample,         // answers `prompts` with the adapter as it is. Answer: kSampleReady for each
        kStop,           // after the running step; saves checkpoint and adapter
        kStopAndDiscard, // after the running step; writes nothing more, what was saved before stays
    };
    Kind kind = Kind::kStop;
    std::vector<std::string> prompts = {}; // kSample
};
constexpr std::array<const char*, 7> spellings(Command::Kind) {
    return {"pause", "resume", "save", "validate", "sample", "stop", "stop-and-discard"};
}

} // namespace roundpipe::session
