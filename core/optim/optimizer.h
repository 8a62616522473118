// SPDX-License-Identifier: GPL-3.0-or-later
// What turns gradients into updates, layer by layer.
#pragma once

#include "base/dtype.h"
#include "base/ids.h"
#include "base/thread_team.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::optim {

// The arrays of a layer, of as many elements each as the layer has trained ones.
struct LayerArrays {
    void* masters = nullptr; // in full precision, updated in place
    const void* gradients = nullptr;
    DType gradientType = DType::kF32;
    void* version = nullptr; // the masters after the update, rounded: what devices read next
    DType versionType = DType::kF32;
};

// What is the same for all layers of a step.
struct StepFactors {
    double learningRate = 0;
    int64_t step = 1;         // counts optimizer steps from 1
    double gradientScale = 1; // gradients are multiplied by it (clipping) as they are read
};

// One thread at a time per layer; layers are independent.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    // Before any of a layer's arrays changes: by its update, or by a step that is skipped, which writes the version
    // alone.
    virtual void willChange(LayerId, ThreadTeam&) {}
    // One update of a layer. The team shares the elements; each is computed by itself, so its size does not show in the
    // result.
    virtual void update(LayerId layer, const LayerArrays& arrays, const StepFactors& step, ThreadTeam& team) = 0;
    // What it keeps of a layer from update to update; each of them reads and writes it.
    virtual std::vector<std::span<const std::byte>> kept(LayerId) const { return {}; }
};

} // namespace roundpipe::optim
