// SPDX-License-Identifier: GPL-3.0-or-later
// This machine as a rig: what its devices are and what they and their links reach, measured.
#pragma once

#include "plan/rig/rig.h"

#include <string>
#include <vector>

namespace roundpipe::device {

struct ProbedRig {
    plan::Rig rig;
    std::vector<std::string> notes; // a sentence for each thing found, for people
};

// `deviceNames` as openDevices takes them. Takes one to two seconds (the first use of a GPU more); nothing else should
// run meanwhile. What it finds:
// - rates of long copies up, down and both at once; of GPUs that share a bridge (or all) together: where they reach
//   less than nine tenths of their sum, they get a root complex;
// - direct paths between GPUs, only where copied bytes arrive unchanged;
// - products of large matrices (bf16 on GPUs, fp32 on CPU workers), all devices at once;
// - GPUs of one kind measured nearly alike are alike (like_devices.h); notes say what each one measured;
// - memory of GPUs without what other programs (a desktop, say) use of it now;
// - host memory that is free now. CPU workers get half of it between them as their devices' memory.
// Runs on these devices are planned for it from then on (kept_rig.h).
// Throws as openDevices does, and kOutOfMemory where not even the buffers for it fit.
ProbedRig probeRig(const std::vector<std::string>& deviceNames);

} // namespace roundpipe::device
