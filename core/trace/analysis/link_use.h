// SPDX-License-Identifier: GPL-3.0-or-later
// How long a device's link was in use: what tells its rate while it copies from what it moves in the long run.
#pragma once

#include "trace/store/lane_store.h"

namespace roundpipe::trace {

// Within a range; copies that overlap count once.
struct LinkUse {
    int64_t upNs = 0;
    int64_t downNs = 0;
};
LinkUse linkUseOf(const LaneStore& store, DeviceId device, int64_t beginNs, int64_t endNs);

} // namespace roundpipe::trace
