// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the pipeline keeps on one device, taken from a single allocation before the first step: nothing is
// allocated while training, and every buffer keeps its address.
#pragma once

#include "device/device.h"
#include "geometry/device_buffers.h"

#include <span>
#include <vector>

namespace roundpipe::pipeline {

// A few buffers used in turn; each may be written again after its `free` event, and not while it is kept.
class BufferRing {
public:
    struct Buffer {
        std::byte* data = nullptr;
        int64_t bytes = 0;
        device::Event free;
        bool isKept = false;
    };
    explicit BufferRing(const geometry::Buffers& buffers) : BufferRing(std::span(&buffers, 1)) {}
    explicit BufferRing(std::span<const geometry::Buffers> buffers); // one after another
    Buffer& take();

private:
    std::vector<Buffer> m_buffers;
    std::size_t m_next = 0;
};

struct DeviceMemory {
    // Throws kOutOfMemory. `device` outlives it.
    DeviceMemory(device::Device& device, const geometry::DeviceNeeds& needs);

    device::DeviceBuffer memory;
    geometry::DeviceBuffers buffers; // in it
    BufferRing inputs, outputGradients, outgoing, trainedGradients, kept;
    // [microbatch of the round]: of `outgoing`, what a slot made for the next one (Plan::keepsPackets).
    std::vector<BufferRing::Buffer*> packetsKept;
};

} // namespace roundpipe::pipeline
