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
    // Of a base in FP8 (core/model/compute/fp8_products.h): which devices issue it. What is for all of them may be a
    // product that is faster where operands are FP8.
    enum class On : uint8_t {
        kAll,
        kPlain,          // that unpack such weights
        kFp8,            // that multiply them as they are
        kFp8ScaledAfter, // and have no kernel that scales the product
    };
    On on = On::kAll;
    bool inFp8 = false;
};

struct LayerWork {
    std::vector<KernelWork> forward; // also the recompute: the same calls on the same shapes
    std::vector<KernelWork> backward;
    std::vector<KernelWork> output; // those of forward that make the output alone, and nothing that backward reads
    std::vector<KernelWork> unpack; // of a packed base
    std::vector<KernelWork> gateUp; // those of a block's second half that backward needs, see Saving::kWithoutGateUp
};

// Of what a device issues that unpacks weights in FP8.
double totalFlops(const std::vector<KernelWork>& kernels);
double totalBytes(const std::vector<KernelWork>& kernels);

// Of a layer of which `parts` are trained. `belowIsTrained`: something below it is.
LayerWork layerWork(const arch::ModelSpec& model, LayerId layer, const arch::TrainedLayer& parts,
                    const TrainingShape& shape, bool belowIsTrained);

} // namespace roundpipe::plan
