// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs of one kind in a rig that was measured.
#pragma once

#include "plan/rig/rig.h"

namespace roundpipe::device {

// GPUs of one name get the mean of their products' rate, their memory's and their links', each where all of them lie
// within a tenth of it, and the smallest of their memories where those differ by less than a hundredth. A fraction of a
// second measures equal GPUs up to 9 % apart (715 to 776 TFLOP/s of four H100, all at once), while steps keep them busy
// alike, to 2 % (tests/bench/RESULTS.md, 2026-11-26): as if they were unequal, all of them would be planned to wait for
// the one that seemed slowest.
void evenOutLikeDevices(plan::Rig& rig);

} // namespace roundpipe::device
