// SPDX-License-Identifier: GPL-3.0-or-later
// What turns gradients into updates, layer by layer.
#pragma once

#include "base/dtype.h"
#include "base/ids.h"
#include "base/thread_team.h"

#include <cstdint>

namespace roundpipe::optim {

// One thread at a time per layer; layers are independent.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    // One update of layer `layer` in place. `step` counts optimizer steps from 1; the gradients are multiplied by
    // `gradientScale` (clipping) as they are read. The team shares the elements; each is computed by itself, so its
    // size does not show in the result.
    virtual void update(LayerId layer, void* parameters, const void* gradients, double learningRate, int64_t step,
                        double gradientScale, ThreadTeam& team) = 0;
    virtual DType dtype() const = 0; // of parameters, gradients and what it keeps
};

} // namespace roundpipe::optim
