// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the pipeline keeps on one device, taken from a single allocation before the first step: nothing is
// allocated while training, and every buffer keeps its address.
#pragma once

#include "device/device.h"
#include "geometry/device_buffers.h"

#include <vector>

namespace roundpipe::pipeline {

// A few buffers used in turn; each may be written again after its `free` event.
class BufferRing {
public:
    struct Buffer {
        std::byte* data = nullptr;
        device::Event free;
    };
    explicit BufferRing(const geometry::Buffers& buffers);
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
    BufferRing inputs, outputGradients, outgoing, adapterGradients, kept;
};

} // namespace roundpipe::pipeline
