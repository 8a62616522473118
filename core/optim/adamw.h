// AdamW with decoupled weight decay (Loshchilov and Hutter, 2019), step by step as torch.optim.AdamW computes it, on
// host memory. Masters, moments and gradients are fp32, or all fp64 in an fp64 run.
#pragma once

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

// The moments of every layer's trained parameters.
class AdamW final : public Optimizer {
public:
    // `elements[l]`: trained parameters of layer l, may be 0. Moments start at zero.
    AdamW(const AdamWConfig& config, DType dtype, std::span<const int64_t> elements);

    void update(LayerId layer, void* parameters, const void* gradients, double learningRate, int64_t step,
                double gradientScale, ThreadTeam& team) override;
    DType dtype() const override { return m_dtype; }

    // For checkpoints: first and second moment of a layer, sizeOf(dtype) × elements bytes each.
    std::span<std::byte> firstMoment(LayerId layer);
    std::span<std::byte> secondMoment(LayerId layer);

private:
    struct Moments {
        int64_t numElements = 0;
        std::vector<std::byte> first;
        std::vector<std::byte> second;
    };
    AdamWConfig m_config;
    DType m_dtype;
    std::vector<Moments> m_layers;
};

} // namespace roundpipe::optim
