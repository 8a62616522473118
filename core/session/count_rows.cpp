// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/count_rows.h"

#include "base/error.h"

#include <chrono>
#include <thread>

namespace roundpipe::session {
namespace {

constexpr std::chrono::milliseconds kLookAgainAfter{20};

} // namespace

RunLengths countRows(Workbench& workbench, const RunSpec& spec, const std::stop_token& stop) {
    workbench.open(spec);
    WorkbenchStatus status = workbench.status();
    while (status.state == WorkbenchState::kOpening || status.state == WorkbenchState::kReading) {
        if (stop.stop_requested()) {
            workbench.cancel();
            throw Error(ErrorKind::kCancelled, "The rows were not counted to their end.");
        }
        std::this_thread::sleep_for(kLookAgainAfter);
        status = workbench.status();
    }
    if (status.state != WorkbenchState::kReady) throw Error(status.problemKind, status.problem, status.advice);
    if (!status.report->refusal.empty()) throw invalidInput(status.report->refusal.text());
    return {{status.report, &status.report->training}, {status.report, &status.report->validation}};
}

} // namespace roundpipe::session
