// SPDX-License-Identifier: GPL-3.0-or-later
// A short notation for rigs made of known GPUs: "4x4090", "2x4090+2x3090@pcie4x8,ram=256".
//
//   rig     = group { "+" group } { "," option }
//   group   = [ count "x" ] gpu { "@" link }          "8x3090@pcie3x8", "h200", "2xa6000@nvlink", "3xcpu"
//   link    = "pcie" generation "x" lanes | "nvlink"  generation 3, 4, 5; lanes 4, 8, 16
//   option  = "ram=" GiB | "ramrate=" GB/s | "root=" number of GPUs that share a root complex
//
// Case and blanks don't matter, nor do "NVIDIA", "GeForce" and "RTX" before a name. What is not said:
// - A GeForce alone has 16 lanes; several have 8 each, as on a desktop board that splits its processor's 16, or a
//   workstation board with risers. Workstation and data-centre GPUs have 16. The slower of slot and GPU decides the
//   generation.
// - No GPU reaches another directly unless "@nvlink" says so: H100 and H200 then all reach each other, a 3090 or A6000
//   the neighbour that its bridge joins it to (0 and 1, 2 and 3, …).
// - "root=2": the first two GPUs share an uplink of 16 lanes, the next two another. Otherwise each has its own.
// - Host memory is 128 GiB for up to 2 GPUs, 256 for up to 4, 512 for more; 256 for each H100 or H200. A tenth is left
//   to the system.
#pragma once

#include "plan/rig/rig.h"

#include <cstdint>
#include <string_view>

namespace roundpipe::plan {

inline constexpr int32_t kMaxEqualDevices = 64; // what a count before a GPU may say

// Throws kInvalidInput saying what is not understood and what could stand there.
Rig parseRig(std::string_view text);

} // namespace roundpipe::plan
