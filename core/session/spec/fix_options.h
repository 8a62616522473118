// SPDX-License-Identifier: GPL-3.0-or-later
// What helps where nothing fits, as it is typed.
#pragma once

#include "plan/remedies/fix.h"
#include "plan/rig/rig.h"
#include "session/spec/run_spec.h"

#include <span>
#include <string>
#include <vector>

namespace roundpipe::session {

// For each change, made in this order, the options that make it in a run of that spec: {"--max-length", "24576"}. None
// for one that no setting makes.
std::vector<std::vector<std::string>> optionsOf(std::span<const plan::Fix> fixes, RunSpec spec);

// The rig with all of the changes that are of the machine.
plan::Rig changedRig(std::span<const plan::Fix> fixes, const plan::Rig& rig);

} // namespace roundpipe::session
