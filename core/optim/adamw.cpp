// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/adamw.h"

#include "base/error.h"
#include "base/hash.h"
#include "optim/passes.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::optim {
namespace {

constexpr int64_t kGrain = 32768; // elements: waking a thread costs as much as a tenth of them

AdamWFactors factorsOf(const AdamWConfig& config, const StepFactors& step) {
    const double correction1 = 1 - std::pow(config.beta1, static_cast<double>(step.step));
    const double correction2 = 1 - std::pow(config.beta2, static_cast<double>(step.step));
    AdamWFactors factors;
    factors.decay = 1 - step.learningRate * config.weightDecay;
    factors.take1 = 1 - config.beta1;
    factors.keep2 = config.beta2;
    factors.take2 = 1 - config.beta2;
    factors.stepSize = step.learningRate / correction1;
    factors.root2 = std::sqrt(correction2);
    factors.epsilon = config.epsilon;
    factors.gradientScale = step.gradientScale;
    return factors;
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

AdamW::AdamW(const AdamWConfig& config, DType dtype, DType momentType, std::span<const LayerParameters> layers)
    : m_config(config), m_dtype(dtype), m_momentType(momentType) {
    RP_CHECK(dtype == DType::kF32 || dtype == DType::kF64);
    RP_CHECK(momentType == dtype || (dtype == DType::kF32 && momentType == DType::kBF16));
    int64_t total = 0;
    for (const LayerParameters& layer : layers)
        total += layer.count * static_cast<int64_t>(sizeOf(momentType));
    m_pages = ZeroPages(2 * total, "moments");
    std::byte* next = m_pages.data();
    for (const LayerParameters& layer : layers) {
        const std::size_t bytes = static_cast<std::size_t>(layer.count) * sizeOf(momentType);
        m_layers.push_back({layer, {next, bytes}, {next + bytes, bytes}});
        next += 2 * bytes;
    }
}

void AdamW::update(LayerId layer, const LayerArrays& arrays, const StepFactors& step, ThreadTeam& team) {
    RP_CHECK(step.step >= 1);
    LayerMoments& moments = m_layers.at(layer.index());
    const AdamWFactors decaying = factorsOf(m_config, step);
    AdamWFactors undecaying = decaying;
    undecaying.decay = 1;
    const uint64_t draws = mixed(mixed(m_config.seed, static_cast<uint64_t>(step.step)), layer.index());
    const AdamWArrays all{m_dtype, arrays.masters,   moments.first.data(), moments.second.data(), m_momentType,
                          draws,   arrays.gradients, arrays.gradientType,  arrays.version,        arrays.versionType};
    const auto updatePart = [&](int64_t begin, int64_t end, bool decays) {
        passes().adamw(decays ? decaying : undecaying, all, begin, end);
    };
    team.split(moments.parameters.count, kGrain,
               [&](int64_t begin, int64_t end) { forParts(moments.parameters.undecayed, begin, end, updatePart); });
}

std::vector<std::span<const std::byte>> AdamW::kept(LayerId layer) const {
    const LayerMoments& moments = m_layers.at(layer.index());
    return {moments.first, moments.second};
}

std::span<std::byte> AdamW::firstMoment(LayerId layer) {
    return m_layers.at(layer.index()).first;
}

std::span<std::byte> AdamW::secondMoment(LayerId layer) {
    return m_layers.at(layer.index()).second;
}

} // namespace roundpipe::optim
