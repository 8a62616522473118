// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder block of any type with an explicit forward and backward: no autograd graph, nothing allocated that the
// caller doesn't know of, the same code on CPU and CUDA. Checked against autograd in tests/model.
#pragma once

#include "geometry/saving.h"
#include "model/compute/batch_view.h"
#include "model/compute/compute.h"

#include <cstddef>
#include <cstdint>

namespace roundpipe::model {

// The keys and values of one sequence in one block, for decoding: [capacity, G * K] each, of the operand type, the
// first `past` rows filled. A call appends its tokens' rows; the caller advances `past` once all blocks have run.
struct KvCacheView {
    std::byte* keys = nullptr;
    std::byte* values = nullptr;
    int64_t capacity = 0;
    int64_t past = 0;
};

// Immutable, shared by all devices.
class Block {
public:
    virtual ~Block() = default;

    // Upper bounds for T tokens; bytes.
    virtual int64_t savedBytes(int64_t numTokens, geometry::Saving) const = 0;
    virtual int64_t workspaceBytes(int64_t numTokens) const = 0;

    virtual void forward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD,
                         std::byte* out_TD) const = 0;
    // The same kernels and bits; keeps in `saved` what backward needs, all of it or without gate and up. `out` may be
    // null where nobody reads it: then what makes it alone is left out.
    virtual void forwardSaving(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD,
                               std::byte* out_TD, std::byte* saved, geometry::Saving) const = 0;
    // What forwardSaving() kept, by the same choice, is used up. dIn may be null (nothing below is trained). dIn may
    // not alias dOut.
    virtual void backward(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD, std::byte* saved,
                          geometry::Saving, const std::byte* dOut_TD, std::byte* dIn_TD,
                          GradientView gradients) const = 0;
    // Forward of the tokens of one sequence that follow the cached ones. Positions are absolute; no dropout.
    virtual void forwardCached(Compute&, const BatchView&, const LayerWeights&, const std::byte* in_TD,
                               std::byte* out_TD, const KvCacheView&) const = 0;
};

} // namespace roundpipe::model
