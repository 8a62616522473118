// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/device_memory.h"

namespace roundpipe::pipeline {
namespace {

int64_t bytesOf(const geometry::DeviceNeeds& needs) {
    geometry::Workspace counting;
    const geometry::DeviceBuffers buffers(needs, counting);
    return counting.usedBytes();
}

geometry::DeviceBuffers take(const device::DeviceBuffer& memory, const geometry::DeviceNeeds& needs) {
    geometry::Workspace room(memory.data(), memory.bytes());
    return {needs, room};
}

} // namespace

BufferRing::BufferRing(std::span<const geometry::Buffers> buffers) {
    for (const geometry::Buffers& ofASize : buffers)
        for (std::size_t i = 0; i < ofASize.size(); ++i)
            m_buffers.push_back({ofASize[i], ofASize.bytesEach(), {}});
}

BufferRing::Buffer& BufferRing::take() {
    for (;;) { // there are more than are ever kept
        Buffer& taken = m_buffers[m_next];
        m_next = (m_next + 1) % m_buffers.size();
        if (!taken.isKept) return taken;
    }
}

DeviceMemory::DeviceMemory(device::Device& device, const geometry::DeviceNeeds& needs)
    : memory(device.allocate(bytesOf(needs)))
    , buffers(take(memory, needs))
    , inputs(buffers.inputs)
    , outputGradients(buffers.outputGradients)
    , outgoing(buffers.outgoing)
    , trainedGradients(buffers.trainedGradients)
    , kept(buffers.kept)
    , packetsKept(static_cast<std::size_t>(needs.packetsKept)) {}

} // namespace roundpipe::pipeline
