// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe attach: looks at a run that another process trains, as if it were trained here.
#include "commands.h"
#include "console/run_view.h"
#include "console/standard_output.h"
#include "console/stop_signal.h"
#include "exit_codes.h"
#include "follow/followed_run.h"
#include "follow/patience.h"

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace roundpipe::cli {
namespace {

int attach(const std::string& which, bool quiet) {
    const FollowedRun run = follow(which);
    const StopSignal leave;
    const GoesOnUnread goesOn;
    Progress progress(quiet ? Progress::Style::kQuiet : Progress::styleOfStandardOutput());
    RunView view(progress);
    Standstill standstill;
    bool hasSpoken = false;
    for (;;) {
        const session::Snapshot snapshot =
            run.engine->snapshot(); // before the events, so that none of the last is missed
        const std::vector<session::RunEvent> events = run.engine->takeEvents();
        view.show(events, snapshot);
        if (session::isOver(snapshot.state)) return view.end(snapshot.state);
        if (leave.requested()) break;
        hasSpoken = hasSpoken || !events.empty() || !snapshot.activities.empty();
        standstill.look(run, hasSpoken, progress);
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    progress.message("The run goes on; `roundpipe stop " + run.name + "` stops it.");
    return kSuccess;
}

} // namespace

CommandBody addAttachCommand(CLI::App& app) {
    struct Options {
        std::string run;
        bool quiet = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhichRun)->required();
    app.add_flag("--quiet", options->quiet, "Print errors only: waits for the run's end.");
    return [options] { return attach(options->run, options->quiet); };
}

} // namespace roundpipe::cli
