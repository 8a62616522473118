// What a run keeps on the host and on disk. Who takes a buffer there takes it as large as it stands here, so that what
// is counted is what is taken.
#pragma once

#include "geometry/layer_sizes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundpipe::geometry {

inline constexpr std::size_t kAdapterVersions =
    2;                                            // that are alive: the newest, and the one before it for steps to read
inline constexpr std::size_t kGradientRounds = 2; // whose gradients are there: one is read while the next arrives
inline constexpr std::size_t kMoments = 2;        // AdamW's

// What each trained element of a layer takes, in buffers of their own. Bytes.
struct AdapterBytes {
    AdapterBytes(int64_t trainedElements, DType operandType);
    int64_t version; // rounded, for devices to read
    int64_t full;    // in full precision: the masters, a round's gradients, or one of the moments
};

// Whatever the cuts. Bytes.
struct HostBytes {
    int64_t base = 0;      // the frozen weights, read by GPUs
    int64_t versions = 0;  // rounded copies of the adapters, read by GPUs
    int64_t gradients = 0; // rounds of them, written by GPUs
    int64_t masters = 0;   // adapters in full precision
    int64_t moments = 0;
    int64_t gradientSums = 0; // only where a step has several rounds
    int64_t checkpoint = 0;   // on disk: adapter and moments
    int64_t adapterFile = 0;  // on disk: the exported adapter
    // Of every run.
    int64_t total() const { return base + versions + gradients + masters + moments; }
    int64_t readByDevices() const { return base + versions + gradients; }
};
HostBytes hostBytes(const std::vector<LayerSizes>& layers);

} // namespace roundpipe::geometry
