// SPDX-License-Identifier: GPL-3.0-or-later
// Hidden states, their gradients and losses between a device and the host.
#pragma once

#include "pipeline/device_state.h"

namespace roundpipe::pipeline {

// Issues the upload of a packet and makes the compute stream wait for it. The caller sets when the buffer is free
// again.
BufferRing::Buffer& receive(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch);
// A buffer for compute to write, once its last download is over.
BufferRing::Buffer& takeOutgoing(DeviceState& device);
void send(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch, BufferRing::Buffer& buffer);
void sendLoss(const Turn& turn, int32_t microbatch);

} // namespace roundpipe::pipeline
