// Bytes of each layer as the engine lays it out: the sums of core/model's layouts and buffers, from shapes alone.
// tests/pipeline holds them equal to the engine's, byte for byte.
#pragma once

#include "plan/cost/costs.h"
#include "plan/cost/training_shape.h"

#include <vector>

namespace roundpipe::plan {

inline constexpr int64_t kAlignmentBytes = 256; // of every tensor and buffer in the engine
constexpr int64_t aligned(int64_t bytes) {
    return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

// Rows of logits that the head computes at a time.
int64_t headChunkRows(int64_t vocabSize, int64_t numRows, DType operandType);

// The first layer with an adapter; throws kInvalidInput where no layer has one.
int32_t firstTrainableLayer(const std::vector<std::vector<arch::LinearSpec>>& adapted);

// Of all layers. `adapted`: arch::adaptedLinears of the model.
std::vector<LayerSizes> layerSizes(const arch::ModelSpec& model,
                                   const std::vector<std::vector<arch::LinearSpec>>& adapted,
                                   const TrainingShape& shape);

// Ids, labels, positions and bounds of a microbatch.
int64_t batchBytes(const TrainingShape& shape);

// What stays on the host and on disk, whatever the plan.
struct HostBytes {
    int64_t base = 0;        // the frozen weights, read by GPUs
    int64_t versions = 0;    // two rounded copies of the adapters, read by GPUs
    int64_t gradients = 0;   // two rounds of them, written by GPUs
    int64_t masters = 0;     // adapters in full precision
    int64_t moments = 0;     // AdamW's two
    int64_t checkpoint = 0;  // on disk: adapter and moments
    int64_t adapterFile = 0; // on disk: the exported adapter
    int64_t total() const { return base + versions + gradients + masters + moments; }
    int64_t readByDevices() const { return base + versions + gradients; }
};
HostBytes hostBytes(const arch::ModelSpec& model, const std::vector<LayerSizes>& layers, const TrainingShape& shape);

} // namespace roundpipe::plan
