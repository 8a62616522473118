// SPDX-License-Identifier: GPL-3.0-or-later
// AdamW with decoupled weight decay (Loshchilov and Hutter, 2019), step by step as torch.optim.AdamW computes it, on
// host memory, in one pass over a layer's arrays. Masters and moments are fp32, or fp64 in an fp64 run.
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
    AdamW(const AdamWConfig& config, DType dtype, std::span<const LayerParameters> layers);

    void update(LayerId layer, const LayerArrays& arrays, const StepFactors& step, ThreadTeam& team) override;
    DType dtype() const { return m_dtype; } // of masters and moments

    // For checkpoints: first and second moment of a layer, sizeOf(dtype) × elements bytes each.
    std::span<std::byte> firstMoment(LayerId layer);
    std::span<std::byte> secondMoment(LayerId layer);

private:
    struct Moments {
        LayerParameters parameters;
        std::span<std::byte> first, second; // in m_pages
    };
    AdamWConfig m_config;
    DType m_dtype;
    std::vector<Moments> m_layers;
    ZeroPages m_pages;
};

} // namespace roundpipe::optim
