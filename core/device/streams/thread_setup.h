// SPDX-License-Identifier: GPL-3.0-or-later
// What every thread that calls LibTorch does first.
#pragma once

namespace roundpipe::device {

// One intra-op thread (so that results do not depend on the number of cores) and no autograd, for the calling thread.
void setUpComputeThread();

} // namespace roundpipe::device
