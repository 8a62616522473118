// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a device a run may use, where that is not all of it.
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe::device {

// 0: what the device has.
struct DeviceLimits {
    int64_t memoryBytes = 0;     // of its memory, with what the driver and libraries take
    double upBytesPerSecond = 0; // of its link, host to device: copies last as long as they would on such a link
    double downBytesPerSecond = 0;
    std::string words; // "@24GiB": what a user wrote behind the device's name
};

} // namespace roundpipe::device
