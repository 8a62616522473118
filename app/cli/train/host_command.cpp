// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe host: begun by the Studio, one process for each run. Not for people, and not in --help.
#include "commands.h"
#include "console/stop_signal.h"
#include "engine/engine.h"
#include "exit_codes.h"
#include "hosted/host_process.h"

#include <cstdlib>
#include <memory>

namespace roundpipe::cli {

CommandBody addHostCommand(CLI::App& app) {
    app.group(""); // not listed
    return []() -> int {
        const StopSignal stop;
        const std::unique_ptr<session::Engine> engine = engine::makeEngine();
        // A run that failed was told as an event. Nothing is tidied up after it, which would wait for a GPU that hangs.
        if (hosted::hostRun(*engine, [&] { return stop.requested(); }) == session::RunState::kFailed)
            std::_Exit(kSuccess);
        return kSuccess;
    };
}

} // namespace roundpipe::cli
