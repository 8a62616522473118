// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan may want of the engine: rows, an adapter to begin with, this machine measured.
#pragma once

#include "plan/rig/rig.h"
#include "session/activity.h"
#include "session/spec/run_shape.h"

#include <functional>
#include <string>
#include <vector>

namespace roundpipe::cli {

struct EngineParts {
    // The spec with the settings of the adapter that it starts from.
    session::RunSpec (*resolved)(session::RunSpec spec);
    // Of the spec's rows, read; `report` says what is being done.
    session::RunLengths (*lengthsOf)(const session::RunSpec& spec,
                                     const std::function<void(const session::Activity&)>& report);
    // What is worth knowing of the devices goes to standard error.
    plan::Rig (*thisMachine)(const std::vector<std::string>& devices);
};

// In a program without the engine: does not return, the one that has it starts the command anew. So whoever knows that
// it will be wanted asks before anything is read.
const EngineParts& engineParts();

} // namespace roundpipe::cli
