// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/device_buffers.h"

#include "geometry/batch_arrays.h"

namespace roundpipe::geometry {

DeviceBuffers::DeviceBuffers(const DeviceNeeds& needs, Workspace& memory)
    : weights(needs.weights, memory)
    , inputs(memory, 2, needs.packet)
    , outputGradients(memory, needs.packetsKept > 0 ? 0 : 2, needs.packet)
    , outgoing(memory, numOutgoing(needs.packetsKept), needs.packet)
    , trainedGradients{{{memory, 1, needs.gradients[0]}, {memory, 1, needs.gradients[1]}}}
    , hidden(memory, needs.hidden, needs.packet)
    , saved(memory, 1, needs.saved)
    , kept(memory, needs.kept > 0 ? 2 : 0, needs.kept)
    , scratchGradients(memory, needs.innerGradients, needs.packet)
    , workspace(memory, 1, needs.workspace)
    , batches(memory, kProgramsInFlight, ProgramArrays(needs.numMicrobatches, needs.batch).batches)
    , losses(memory, kProgramsInFlight, ProgramArrays(needs.numMicrobatches, needs.batch).losses) {}

} // namespace roundpipe::geometry
