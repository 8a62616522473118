// SPDX-License-Identifier: GPL-3.0-or-later
// A CPU worker: each stream is a thread with one intra-op thread, copies are real copies.
#pragma once

#include "device/device.h"

#include <memory>

namespace roundpipe::device {

std::unique_ptr<Device> makeCpuDevice(DeviceId id, const DeviceContext& context, const DeviceLimits& limits = {});

} // namespace roundpipe::device
