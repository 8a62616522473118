// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/adamw.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::optim {
namespace {

constexpr int64_t kGrain = 32768; // elements: waking a thread costs as much as a tenth of them

// The order and the roundings are those of torch.optim.AdamW's single-tensor path, so that curves can be compared.
template <class T>
void updateElements(const AdamWConfig& config, int64_t count, T* parameters, const T* gradients, T* first, T* second,
                    double learningRate, int64_t step, double gradientScale) {
    const double correction1 = 1 - std::pow(config.beta1, static_cast<double>(step));
    const double correction2 = 1 - std::pow(config.beta2, static_cast<double>(step));
    const T decay = static_cast<T>(1 - learningRate * config.weightDecay);
    const T keep2 = static_cast<T>(config.beta2);
    const T take1 = static_cast<T>(1 - config.beta1);
    const T take2 = static_cast<T>(1 - config.beta2);
    const T stepSize = static_cast<T>(learningRate / correction1);
    const T root2 = static_cast<T>(std::sqrt(correction2));
    const T epsilon = static_cast<T>(config.epsilon);
    const T scale = static_cast<T>(gradientScale);
    for (int64_t i = 0; i < count; ++i) {
        const T gradient = gradients[i] * scale;
        first[i] += take1 * (gradient - first[i]);
        second[i] = second[i] * keep2 + take2 * gradient * gradient;
        const T denominator = std::sqrt(second[i]) / root2 + epsilon;
        parameters[i] = parameters[i] * decay - stepSize * (first[i] / denominator);
    }
}

// body(begin, end, whether weight decay applies) for the parts of [begin, end) that are alike.
template <class Body>
void forParts(const std::vector<ParameterRange>& undecayed, int64_t begin, int64_t end, Body&& body) {
    for (const ParameterRange& range : undecayed) {
        if (range.end <= begin) continue;
        if (range.begin >= end) break;
        if (range.begin > begin) body(begin, range.begin, true);
        const int64_t last = std::min(range.end, end);
        body(std::max(begin, range.begin), last, false);
        begin = last;
    }
    if (begin < end) body(begin, end, true);
}

} // namespace

AdamW::AdamW(const AdamWConfig& config, DType dtype, std::span<const LayerParameters> layers)
    : m_config(config), m_dtype(dtype) {
    RP_CHECK(dtype == DType::kF32 || dtype == DType::kF64);
    for (const LayerParameters& layer : layers) {
        const std::size_t bytes = static_cast<std::size_t>(layer.count) * sizeOf(dtype);
        m_layers.push_back({layer, std::vector<std::byte>(bytes), std::vector<std::byte>(bytes)});
    }
}

void AdamW::update(LayerId layer, void* parameters, const void* gradients, double learningRate, int64_t step,
                   double gradientScale, ThreadTeam& team) {
    RP_CHECK(step >= 1);
    Moments& moments = m_layers.at(layer.index());
    const auto run = [&]<class T>(T*) {
        AdamWConfig undecayed = m_config;
        undecayed.weightDecay = 0;
        const auto updatePart = [&](int64_t begin, int64_t end, bool decays) {
            updateElements(decays ? m_config : undecayed, end - begin, static_cast<T*>(parameters) + begin,
                           static_cast<const T*>(gradients) + begin, reinterpret_cast<T*>(moments.first.data()) + begin,
                           reinterpret_cast<T*>(moments.second.data()) + begin, learningRate, step, gradientScale);
        };
        team.split(moments.parameters.count, kGrain,
                   [&](int64_t begin, int64_t end) { forParts(moments.parameters.undecayed, begin, end, updatePart); });
    };
    if (m_dtype == DType::kF64)
        run(static_cast<double*>(nullptr));
    else
        run(static_cast<float*>(nullptr));
}

std::span<std::byte> AdamW::firstMoment(LayerId layer) {
    return m_layers.at(layer.index()).first;
}

std::span<std::byte> AdamW::secondMoment(LayerId layer) {
    return m_layers.at(layer.index()).second;
}

} // namespace roundpipe::optim
