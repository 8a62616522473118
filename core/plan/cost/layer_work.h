// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that the engine issues for a layer and a microbatch, in the order of core/model: products, attention, and
// passes over memory. Counted, not timed; device_rates.h says how long a device takes.
#pragma once

#include "plan/cost/training_shape.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

struct KernelWork {
    enum class Kind : uint8_t {
        kProduct,           // (rows, inner) times (inner, cols), `groups` of them in one launch
        kAttentionForward,  // fused: the scores are never in memory
        kAttentionBackward, // "
        kPass,              // elementwise, a reduction over rows, a gather
        kHeavyPass          // with as much arithmetic as traffic: rotation, dropout, cross-entropy
    };
    Kind kind = Kind::kPass;
    double flops = 0;
    double bytes = 0; // read and written
    double rows = 0;  // of a product; of attention: the length of a sequence
    double cols = 0;
    double inner = 0;
    double groups = 1; // of attention: heads of all sequences
};

struct LayerWork {
    std::vector<KernelWork> forward; // also the recompute: the same calls on the same shapes
    std::vector<KernelWork> backward;
    std::vector<KernelWork> output; // those of forward that make the output alone, and nothing that backward reads
    std::vector<KernelWork> unpack; // of a packed base
    std::vector<KernelWork> gateUp; // those of a block's second half that backward needs, see Saving::kWithoutGateUp
};

double totalFlops(const std::vector<KernelWork>& kernels);
double totalBytes(const std::vector<KernelWork>& kernels);

// Of a layer of which `parts` are trained. `belowIsTrained`: something below it is.
LayerWork layerWork(const arch::ModelSpec& model, LayerId layer, const arch::TrainedLayer& parts,
                    const TrainingShape& shape, bool belowIsTrained);

} // namespace roundpipe::plan
