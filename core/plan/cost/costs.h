// What a model costs on a rig, layer by layer: the planner's and the simulator's only view of model and devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::plan {

// Seconds of one microbatch on one device.
struct LayerTimes {
    double forward = 0;
    double recompute = 0; // a forward that keeps what backward needs
    double backward = 0;  // without the recompute
};

// Bytes. "Of a microbatch" means of one with the most tokens.
struct LayerSizes {
    std::string name;          // "block 7"
    bool isBlock = true;       // false: embedding or head, which keep nothing for backward
    int64_t baseUp = 0;        // frozen weights as they travel (quantised ones packed)
    int64_t adapterUp = 0;     // what changes every step
    int64_t weights = 0;       // base and adapter on the device while a slot of this layer runs there
    int64_t gradients = 0;     // accumulated on the device; 0 for a layer without trained parameters
    int64_t gradientsDown = 0; // as they travel, once a slot
    int64_t saved = 0;         // of a microbatch: what backward needs beside the layer's input
    int64_t workspace = 0;     // alive during one layer only; the head's includes its chunk of logits
    int64_t trainedElements = 0;
};

struct Costs {
    std::vector<LayerSizes> layers;             // embedding, blocks, head
    std::vector<std::vector<LayerTimes>> times; // [device][layer]
    int32_t firstTrainable = 0;                 // layers below it need no backward
    int64_t tokens = 0;                         // of a microbatch
    int64_t packetBytes = 0;                    // hidden states (or their gradient) of a microbatch
    int64_t batchBytes = 0;                     // ids, labels and positions of a microbatch on a device
    std::vector<int64_t> contextBytes;          // [device]: driver, libraries and what they allocate beside our buffers
    double optimizerSeconds = 0;                // updating all adapters on the host, once a step
    int64_t hostBytes = 0;       // weights, masters, moments and gradients on the host, whatever the plan
    int64_t hostPinnedBytes = 0; // of them, page-locked for the sake of GPUs
    int64_t diskBytes = 0;       // checkpoints and adapter that a run writes

    int32_t numLayers() const { return static_cast<int32_t>(layers.size()); }
    int32_t numDevices() const { return static_cast<int32_t>(times.size()); }
};

// Throws kInvalidInput naming the layer and the value when sizes or times are negative, unreal or of unequal counts.
void validate(const Costs& costs);

} // namespace roundpipe::plan
