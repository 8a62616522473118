// Everything that the pipeline keeps on one device, cut from a single allocation before the first step: nothing is
// allocated while training, and every buffer keeps its address.
#pragma once

#include "device/device.h"
#include "model/layer.h"
#include "pipeline/batch_block.h"
#include "plan/program.h"
#include "transfer/host_weight_store.h"

#include <array>
#include <vector>

namespace roundpipe::pipeline {

// A few buffers used in turn; each may be written again after its `free` event.
template <std::size_t Size>
struct BufferRing {
    struct Buffer {
        std::byte* data = nullptr;
        device::Event free;
    };
    std::array<Buffer, Size> buffers;
    std::size_t next = 0;
    Buffer& take() {
        Buffer& taken = buffers[next];
        next = (next + 1) % Size;
        return taken;
    }
};

// What decides the size of everything below.
struct MemoryNeeds {
    const model::Model& model;
    const plan::Plan& plan;
    batch::MicrobatchBounds largest; // microbatch
    int32_t numMicrobatches = 1;     // of a step
    DeviceId device;
};

struct DeviceMemory {
    // Hidden states and gradients between this device and the host. Up: one microbatch ahead; down: one behind, and one
    // more for stages that also send checkpoints.
    BufferRing<2> inputs;
    BufferRing<2> outputGradients;
    BufferRing<3> outgoing;
    BufferRing<2> adapterGradients;               // all of a stage's, of the accumulation type
    std::vector<std::byte*> hidden;               // outputs of a stage's layers, at least 2
    std::vector<std::byte*> saved;                // what forwardSaving keeps, one for each block of a stage
    std::array<std::byte*, 2> scratchGradients{}; // hidden gradients between a stage's layers
    std::byte* weights = nullptr;                 // 2 * weightBytes
    int64_t weightBytes = 0;
    std::byte* workspace = nullptr;
    int64_t workspaceBytes = 0;
    std::byte* batches = nullptr; // of the program's microbatches
    double* losses = nullptr;     // [numMicrobatches]

    // Adds up the bytes (null `start`) or cuts the buffers from `start`.
    static DeviceMemory cut(device::Carver& carver, const MemoryNeeds& needs);
    static int64_t bytes(const MemoryNeeds& needs);
};

// Device bytes of the adapter gradients of layers [begin, end), each aligned.
int64_t gradientBytes(const model::Model& model, int32_t begin, int32_t end);

} // namespace roundpipe::pipeline
