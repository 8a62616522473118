// SPDX-License-Identifier: GPL-3.0-or-later
// AdamW with decoupled weight decay (Loshchilov and Hutter, 2019), step by step as torch.optim.AdamW computes it, on
// host memory, in one pass over a layer's arrays. Masters are fp32, or fp64 in an fp64 run; moments have their type, or
// bf16: then each is rounded up or down at random, in proportion to how near it is, so that what is too little for bf16
// to tell adds up all the same. Rounded to nearest, a second moment would never shrink (beta2 takes a thousandth of it
// a step, half a unit of bf16 is two to four) and grow only by gradients that are much larger than it.
#pragma once

#include "base/zero_pages.h"
#include "optim/optimizer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::optim {

struct AdamWConfig {
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weightDecay = 0;
    uint64_t seed = 0; // of how bf16 moments are rounded: by it, step, layer and element
};

// Parameters [begin, end) of a layer.
struct ParameterRange {
    int64_t begin = 0;
    int64_t end = 0;
};
// What a layer has to be updated.
struct LayerParameters {
    int64_t count = 0;                          // may be 0
    std::vector<ParameterRange> undecayed = {}; // ascending: weight decay leaves them alone
};

// The moments of every layer's trained parameters.
class AdamW final : public Optimizer {
public:
    // `layers[l]`: of layer l. Moments start at zero, in memory that is taken as it is first used. Throws kOutOfMemory.
    AdamW(const AdamWConfig& config, DType dtype, DType momentType, std::span<const LayerParameters> layers);

    void update(LayerId layer, const LayerArrays& arrays, const StepFactors& step, ThreadTeam& team) override;
    std::vector<std::span<const std::byte>> kept(LayerId layer) const override; // both moments
    DType momentType() const { return m_momentType; }

    // For checkpoints: first and second moment of a layer, sizeOf(momentType()) × elements bytes each.
    std::span<std::byte> firstMoment(LayerId layer);
    std::span<std::byte> secondMoment(LayerId layer);

private:
    struct LayerMoments {
        LayerParameters parameters;
        std::span<std::byte> first, second; // in m_pages
    };
    AdamWConfig m_config;
    DType m_dtype; // of masters
    DType m_momentType;
    std::vector<LayerMoments> m_layers;
    ZeroPages m_pages;
};

} // namespace roundpipe::optim
