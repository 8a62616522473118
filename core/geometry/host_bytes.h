// SPDX-License-Identifier: GPL-3.0-or-later
// What a run keeps on the host and on disk. Who takes a buffer there takes it as large as it stands here, so that what
// is counted is what is taken.
#pragma once

#include "geometry/layer_sizes.h"
#include "geometry/trained_block.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundpipe::geometry {

inline constexpr std::size_t kAdapterVersions =
    2;                                     // that are alive: the newest, and the one before it for steps to read
inline constexpr std::size_t kMoments = 2; // AdamW's

// What is kept of a layer's trained block, in buffers of their own. Bytes.
struct TrainedBytes {
    TrainedBytes(const TrainedBlock& block, DType operandType);
    int64_t version; // rounded, for devices to read
    int64_t masters; // in full precision
    // A round's, as they come from a device: of weights in bf16 where devices compute in it, as they are too many to
    // travel in the precision in which microbatches are added; of adapters, and of norms beside them, in that.
    DType gradientType;
    int64_t gradients;
};

// Whatever the cuts. Bytes.
struct HostBytes {
    int64_t base = 0;      // the frozen weights, read by GPUs
    int64_t versions = 0;  // rounded copies of what is trained, read by GPUs
    int64_t gradients = 0; // of one round, written by GPUs
    int64_t masters = 0;   // what is trained in full precision
    int64_t moments = 0;
    int64_t usesSums = 0;     // gradients of a tied table, of both of its uses
    int64_t gradientSums = 0; // of the other layers, only where a step has several rounds
    int64_t checkpoint = 0;   // on disk: adapter or weights, and moments
    int64_t adapterFile = 0;  // on disk: the exported adapter, in full precision
    // Of every run.
    int64_t total() const { return base + versions + gradients + masters + moments + usesSums; }
    int64_t readByDevices() const { return base + versions + gradients; }
};
HostBytes hostBytes(const std::vector<LayerSizes>& layers);

// Read and written on the host, by layer. By its update: gradients once, masters and moments both ways, the next
// version.
int64_t updateBytes(const LayerSizes& layer);
// Where a round's gradients are added to those of others, of rounds or of a table's other use.
int64_t sumBytes(const LayerSizes& layer);
// For the norm of a step's gradients.
int64_t normBytes(const LayerSizes& layer);

} // namespace roundpipe::geometry
