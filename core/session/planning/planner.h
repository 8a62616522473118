// SPDX-License-Identifier: GPL-3.0-or-later
// The door to planning: questions in, answers out that grow as more is known. The GUI knows this interface only, beside
// Engine and Workbench.
//
// Everything that crosses is a plain value, so that a child process can stand behind it one day.
#pragma once

#include "base/error.h"
#include "session/planning/plan_answer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace roundpipe::session {

// What is known of the answer to a question; each update knows more than the one before.
struct PlanUpdate {
    uint64_t question = 0; // that ask() returned
    bool isLast = false;
    std::shared_ptr<const PlanAnswer> answer; // null: there is none, for the reason that follows
    std::string problem, advice;
    ErrorKind problemKind = ErrorKind::kInternal;
};

// All calls come from one thread, any; none blocks for longer than a few milliseconds, except the destructor, which
// waits for the piece of work in progress.
class Planner {
public:
    virtual ~Planner() = default;

    // `rig`: "this" for the machine's own devices that the spec names, a notation ("4x4090,ram=256") or the path of a
    // rig file. Stages that the spec gives are answered within milliseconds; better ones, and what would help where
    // nothing fits, follow. Gives up the question before: none of its updates comes any more. Returns a number that the
    // updates bear.
    virtual uint64_t ask(PlanQuestion question, const std::string& rig) = 0;
    virtual void cancel() = 0;                         // gives up the question; no-op where none is open
    virtual std::vector<PlanUpdate> takeUpdates() = 0; // since the last call, in order
};

// Measures the devices of these names, as RunSpec's engine.devices has them; takes seconds. Throws kCancelled where it
// is stopped while it waits for something; may throw.
using RigProbe = std::function<plan::Rig(const std::vector<std::string>& deviceNames, const std::stop_token& stop)>;

// A probe that measures the same devices once, however often and from however many threads it is asked; who comes
// meanwhile waits. None for none.
RigProbe rememberingProbe(RigProbe probe);

// Plans in a thread of its own. Without a probe it answers for rigs that are described alone.
std::unique_ptr<Planner> makePlanner(RigProbe probe = {});

} // namespace roundpipe::session
