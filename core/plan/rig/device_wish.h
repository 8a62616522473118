// SPDX-License-Identifier: GPL-3.0-or-later
// Which device a run takes and how much of it, in a user's words: "cuda:0", "GPU-8f3c21d7", "cuda:0@24GiB", "cpu:2",
// "cuda:1@4090", "cuda:1@4090@20GiB".
#pragma once

#include "plan/rig/rig_presets.h"

#include <cstdint>
#include <optional>
#include <string>

namespace roundpipe::plan {

struct DeviceWish {
    std::string name;                   // what stands before the @
    std::string limit;                  // "@24GiB", "@4090", "@4090@20GiB"; empty: all of it
    int64_t memoryBytes = 0;            // of its memory, at most; 0: all
    std::optional<DevicePreset> actsAs; // a card whose memory and link it gets
};

// Throws kInvalidInput where what stands behind the @ is neither GiB nor a known card, nor such a card and GiB of its
// memory. Names are not looked at.
DeviceWish parseDeviceWish(const std::string& text);

} // namespace roundpipe::plan
