// SPDX-License-Identifier: GPL-3.0-or-later
// How long kernels take on a device: a roofline with an efficiency for each kind of work. All constants of the cost
// model that depend on hardware stand here; README.md, "Costs and memory", says where each comes from.
#pragma once

#include "plan/cost/layer_work.h"
#include "plan/rig/rig.h"

#include <vector>

namespace roundpipe::plan {

struct DeviceRates {
    double productFlops = 0; // FLOP/s of a product so large that its edges don't show
    // How much faster a product of operands in FP8 is; 0: the device has no units for them, and unpacks.
    double fp8Speedup = 0;
    bool scalesFp8After = false; // a pass of ours, instead of the product
    // A product takes as long as one of the rates would with each of its sizes this much larger: tiles are filled up,
    // and each has a beginning and an end.
    double addedRows = 0;
    double addedCols = 0;
    double addedInner = 0;
    // Of grouped products, experts', with tiles that are full (core/kernels/cuda/expert_products.cu), each of which
    // takes as long as with so much more to add up; 0: each expert's is a product as others are.
    double expertFlops = 0;
    double expertAddedInner = 0;
    double attentionForwardFlops = 0;  // counting 4 a pair and column forward, 10 backward
    double attentionBackwardFlops = 0; // of all multiprocessors at work
    // Each token takes as long as it would with so many more to look at: tiles on the diagonal are half empty.
    double attentionForwardAdded = 0;
    double attentionBackwardAdded = 0;
    // Above 0: attention's backward keeps its sums in a fixed order, and the keys of each head in as few parts as give
    // each of so many multiprocessors one.
    int32_t multiprocessorsOfParts = 0;
    double productBytesPerSecond = 0;       // of products that memory limits
    double narrowProductBytesPerSecond = 0; // of those of which a side is shorter than a tile: adapters' products
    double passBytesPerSecond = 0;
    double heavyPassBytesPerSecond = 0;
    double gapSeconds = 0;   // on the device, between two kernels
    double issueSeconds = 0; // on the host, to issue one; hidden as long as the device lags behind
};

struct AttentionUse {
    int64_t numHeads = 0;
    int64_t headDim = 0;
    int64_t maxLength = 0; // of a sequence
};
DeviceRates ratesOf(const DeviceSpec& device, DType operandType, bool deterministic, const AttentionUse& attention);

// Whether it multiplies weights in FP8 as they are: from Ada on, in bf16 (core/model/compute/fp8_choice.h).
bool multipliesFp8(const DeviceSpec& device, DType operandType);
bool issues(const DeviceRates& rates, const KernelWork& kernel);
double secondsOf(const KernelWork& kernel, const DeviceRates& rates); // without gap and issue
// One after the other.
double secondsOf(const std::vector<KernelWork>& kernels, const DeviceRates& rates);

// What the process takes of a device beside the engine's own buffers: the driver's context, loaded kernels, the
// libraries' workspaces, and what LibTorch's attention allocates for its results; of a CPU worker, what it takes of the
// host beside them.
int64_t contextBytes(const DeviceSpec& device, const arch::ModelConfig& config, const TrainingShape& shape);

} // namespace roundpipe::plan
