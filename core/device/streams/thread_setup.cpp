// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/streams/thread_setup.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

namespace roundpipe::device {

void setUpComputeThread() {
    at::set_num_threads(1);
    c10::GradMode::set_enabled(false);
}

} // namespace roundpipe::device
