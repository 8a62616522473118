#include "geometry/device_buffers.h"

namespace roundpipe::geometry {

DeviceBuffers::DeviceBuffers(const DeviceNeeds& needs, Workspace& memory)
    : weights(needs.weights, memory)
    , inputs(memory, 2, needs.packet)
    , outputGradients(memory, 2, needs.packet)
    , outgoing(memory, 3, needs.packet)
    , adapterGradients(memory, 2, needs.gradients)
    , hidden(memory, needs.hidden, needs.packet)
    , saved(memory, needs.savedBlocks, needs.saved)
    , scratchGradients(memory, 2, needs.packet)
    , workspace(memory, 1, needs.workspace)
    , batches(memory, kProgramsInFlight, needs.numMicrobatches * needs.batch)
    , losses(memory, kProgramsInFlight, needs.numMicrobatches * static_cast<int64_t>(sizeof(double))) {}

} // namespace roundpipe::geometry
