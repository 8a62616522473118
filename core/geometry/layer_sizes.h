// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of each layer and of a microbatch, for everything that a run keeps in memory: counted by the code that lays
// layers out and takes their buffers, without any of it.
#pragma once

#include "base/choices.h"
#include "geometry/layout.h"
#include "geometry/saving.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::geometry {

// Bytes. "Of a microbatch" means of one with the most tokens.
struct LayerSizes {
    std::string name;                // "block 7"
    bool isBlock = true;             // false: embedding or head, which keep nothing for backward
    int64_t hostBase = 0;            // frozen weights that the layer owns, in host memory
    int64_t baseUp = 0;              // frozen weights as they travel (quantised ones packed)
    int64_t adapterUp = 0;           // what changes every step: the adapter, or the weights where they are trained
    int64_t weights = 0;             // of a slot for base and adapter on a device (weight_room.h)
    int64_t assembled = 0;           // of the base where it is computed with and lies packed in a slot; else 0
    int64_t gradients = 0;           // accumulated on the device; 0 for a layer without trained parameters
    int64_t gradientsDown = 0;       // as they travel, once a slot
    int64_t saved = 0;               // of a microbatch: what backward needs beside the layer's input
    int64_t savedWithoutGateUp = 0;  // the same but for what Saving::kWithoutGateUp leaves out
    int64_t workspace = 0;           // alive during one layer only; the head's includes its chunk of logits
    int64_t trainedElements = 0;     // that the layer owns
    int64_t version = 0;             // of them on the host, as uploads read them
    int64_t masters = 0;             // " in full precision
    int64_t moments = 0;             // " of each of the optimizer's moments
    int64_t sharedInFile = 0;        // of a table of another layer, which an adapter's file has under both names
    bool gathersGradients = false;   // of other layers, too (trained_block.h)
    bool sharesTable = false;        // its own or another layer's: gradients of all uses are added up on the host
    bool needsInputGradient = false; // its backward makes that of its input, whoever reads it
};

struct ModelSizes {
    std::vector<LayerSizes> layers; // embedding, blocks, head
    int32_t firstTrainable = 0;     // layers below it need no backward; the number of layers when none is trained
    int64_t packetBytes = 0;        // hidden states (or their gradient) of a microbatch
    int64_t batchBytes = 0;         // ids, labels and positions of a microbatch on a device

    int32_t numLayers() const { return static_cast<int32_t>(layers.size()); }
};

// What decides them, beside the model.
struct SizeRequest {
    arch::Trained trained;
    DType operandType = DType::kBF16;
    WeightFormat weights = WeightFormat::kAsIs;
    int64_t maxTokens = 0;    // of a microbatch
    int64_t maxSequences = 0; // "
    Moments moments = Moments::kFp32;
};
// `parts`: what of each layer is trained.
ModelSizes modelSizes(const arch::ModelSpec& model, const std::vector<arch::TrainedLayer>& parts,
                      const SizeRequest& request);

} // namespace roundpipe::geometry
