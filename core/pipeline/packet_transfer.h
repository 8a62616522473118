// SPDX-License-Identifier: GPL-3.0-or-later
// Hidden states, their gradients, losses and what layers save between a device and the host.
#pragma once

#include "pipeline/device_state.h"

namespace roundpipe::pipeline {

// A packet on the device: where the slot before left it, or its upload is issued and the compute stream made to wait.
BufferRing::Buffer& receive(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch);
// Nothing reads it on the device any more after `used`.
void giveBack(BufferRing::Buffer& received, const device::Event& used);
// A buffer for compute to write, once its last download is over.
BufferRing::Buffer& takeOutgoing(DeviceState& device);
// To the host, for those that read it there, and to the next slot where packets stay.
void send(const Turn& turn, bool isGradient, int32_t layer, int32_t microbatch, BufferRing::Buffer& buffer);
void sendLoss(const Turn& turn, int32_t microbatch);

// Of layers that are saved in host memory (KeptPlace): a buffer for compute to save in, once what was there before has
// gone; its way to the host, behind all packets so far; and back, with the layer's input behind it unless that is the
// slot's. Where a layer saves its input alone, that is all that comes.
BufferRing::Buffer& takeKept(DeviceState& device);
void sendSaved(const Turn& turn, int32_t layer, int32_t microbatch, BufferRing::Buffer& kept);
// Issues the upload; the caller makes the compute stream wait for `landed`, and sets when the buffer is free again.
struct Received {
    BufferRing::Buffer* buffer = nullptr; // null: nothing comes beside the slot's input
    const std::byte* input = nullptr;     // of the layer; null: it is the slot's
    device::Event landed;
};
Received receiveSaved(const Turn& turn, int32_t layer, int32_t microbatch);

} // namespace roundpipe::pipeline
