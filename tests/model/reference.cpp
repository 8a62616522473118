// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference.h"

#include "base/hash.h"
#include "model/attention/rotary.h"

#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

namespace roundpipe::testing {

using arch::TensorRole;

at::Tensor toDouble(const void* data, DType dtype, int64_t rows, int64_t cols) {
    at::Tensor tensor = at::empty({rows, cols}, at::kDouble);
    kernels::convert({}, {const_cast<void*>(data), dtype, rows, cols, cols}, 1.0,
                     {tensor.data_ptr(), DType::kF64, rows, cols, cols});
    return tensor;
}

double relativeError(const at::Tensor& a, const at::Tensor& b) {
    return ((a - b).norm() / b.norm()).item<double>();
}

namespace {

at::Tensor readPlace(const geometry::TensorPlace& place, const std::byte* base) {
    const int64_t cols = place.spec.shape.back();
    const int64_t rows = place.spec.numElements() / cols;
    at::Tensor tensor = at::empty({rows, cols}, at::kDouble);
    kernels::convert({},
                     {const_cast<std::byte*>(base) + place.offsetBytes, place.dtype, rows, cols, place.pitchElements},
                     1.0, {tensor.data_ptr(), DType::kF64, rows, cols, cols});
    return tensor.reshape(place.spec.shape);
}

at::Tensor dropoutOf(const geometry::AdapterPlace& place, double probability, const model::BatchView& batch) {
    const int64_t cols = place.linear.inFeatures;
    std::vector<uint64_t> keys(static_cast<std::size_t>(batch.numTokens));
    kernels::makeRowKeys({}, batch.seed, batch.step, batch.exampleIds, batch.starts, batch.numSequences,
                         batch.positions, batch.numTokens, keys.data());
    const at::Tensor ones = at::ones({batch.numTokens, cols}, at::kDouble);
    at::Tensor mask = at::empty_like(ones);
    kernels::dropout({}, {ones.data_ptr(), DType::kF64, batch.numTokens, cols, cols}, keys.data(),
                     hashName(place.linear.fullName), probability,
                     {mask.data_ptr(), DType::kF64, batch.numTokens, cols, cols});
    return mask;
}

} // namespace

ReferenceLayer::ReferenceLayer(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType dtype,
                               const model::LayerWeights& weights, const BatchOnHost& batch)
    : m_config(config), m_layout(layout), m_batch(batch) {
    if (layout.spec.kind == arch::LayerKind::kBlock) {
        m_window = config.slidingWindow[layout.spec.id.index() - 1];
        m_hasRotary = config.hasRotary(layout.spec.id.value - 1);
        m_rope = config.ropeOf(layout.spec.id.value - 1);
    }
    for (const geometry::TensorPlace& place : layout.base.tensors) {
        m_weights[place.spec.role].push_back(readPlace(place, weights.base).requires_grad_(place.isTrained()));
        m_modules[place.spec.role].push_back(arch::moduleOf(place.spec));
    }
    const int64_t rank = layout.adapter.rank;
    for (const geometry::AdapterPlace& place : layout.adapter.linears) {
        const auto bytes = static_cast<int64_t>(sizeOf(dtype));
        Adapter adapter;
        adapter.a = toDouble(weights.adapter + place.offsetA * bytes, dtype, rank, place.linear.inFeatures);
        adapter.b = toDouble(weights.adapter + place.offsetB * bytes, dtype, place.linear.outFeatures, rank);
        adapter.a.requires_grad_();
        adapter.b.requires_grad_();
        adapter.scale = layout.adapter.scale;
        if (layout.adapter.dropout > 0 && batch.view.training)
            adapter.dropout = dropoutOf(place, layout.adapter.dropout, batch.view);
        m_adapters[place.linear.fullName] = adapter;
    }
}

at::Tensor ReferenceLayer::linear(const at::Tensor& x, TensorRole role, std::optional<TensorRole> bias, int64_t expert,
                                  const at::Tensor& tokens) const {
    const auto index = static_cast<std::size_t>(expert);
    at::Tensor y = at::matmul(x, m_weights.at(role)[index].t());
    if (bias && m_weights.contains(*bias)) y = y + m_weights.at(*bias)[index];
    const auto found = m_adapters.find(m_modules.at(role)[index]);
    if (found == m_adapters.end()) return y;
    const Adapter& adapter = found->second;
    const at::Tensor mask =
        adapter.dropout.defined() && tokens.defined() ? adapter.dropout.index_select(0, tokens) : adapter.dropout;
    const at::Tensor input = mask.defined() ? x * mask : x;
    return y + adapter.scale * at::matmul(at::matmul(input, adapter.a.t()), adapter.b.t());
}

at::Tensor ReferenceLayer::norm(const at::Tensor& x, TensorRole role) const {
    const at::Tensor& weight = m_weights.at(role).front();
    return x * at::rsqrt((x * x).mean(-1, true) + m_config.rmsNormEps) * (m_config.normsAddOne ? 1 + weight : weight);
}

// Where the block has such a norm.
at::Tensor ReferenceLayer::normedWith(const at::Tensor& x, TensorRole role) const {
    return m_weights.contains(role) ? norm(x, role) : x;
}

at::Tensor ReferenceLayer::rotated(const at::Tensor& x_THK) const {
    if (!m_hasRotary) return x_THK;
    const model::Rotary rotary = model::makeRotary(m_config, m_rope, m_batch.view.maxLength, DType::kF64);
    const auto half = static_cast<int64_t>(rotary.inverseFrequencies.size());
    const at::Tensor frequencies = at::tensor(rotary.inverseFrequencies, at::kDouble);
    const at::Tensor positions = at::tensor(m_batch.batch.positions).to(at::kDouble);
    const at::Tensor angles = (positions.unsqueeze(1) * frequencies.unsqueeze(0)).unsqueeze(1);
    const at::Tensor cosines = angles.cos() * rotary.scaling, sines = angles.sin() * rotary.scaling;
    const at::Tensor low = x_THK.slice(2, 0, half), high = x_THK.slice(2, half, 2 * half);
    return at::cat({low * cosines - high * sines, high * cosines + low * sines, x_THK.slice(2, 2 * half)}, 2);
}

at::Tensor ReferenceLayer::attention(const at::Tensor& normed) const {
    const int64_t numTokens = normed.size(0), repeats = m_config.numHeads / m_config.numKvHeads;
    const auto heads = [&](TensorRole role, TensorRole bias, int64_t count) {
        return linear(normed, role, bias).reshape({numTokens, count, m_config.headDim});
    };
    const bool isWide = m_config.qkNorm && m_config.qkNormIsWide;
    const auto normedHeads = [&](TensorRole role, TensorRole bias, TensorRole ofNorm, int64_t count) {
        if (!isWide) return heads(role, bias, count);
        return norm(linear(normed, role, bias), ofNorm).reshape({numTokens, count, m_config.headDim});
    };
    at::Tensor q, k, v;
    if (m_config.fusedLinears) {
        const int64_t groups = m_config.numKvHeads;
        const std::vector<at::Tensor> parts =
            heads(TensorRole::kQkv, TensorRole::kQBias, m_config.numHeads + 2 * groups)
                .split_with_sizes({m_config.numHeads, groups, groups}, 1);
        q = parts[0], k = parts[1], v = parts[2];
    } else {
        q = normedHeads(TensorRole::kQ, TensorRole::kQBias, TensorRole::kQNorm, m_config.numHeads);
        k = normedHeads(TensorRole::kK, TensorRole::kKBias, TensorRole::kKNorm, m_config.numKvHeads);
        v = heads(TensorRole::kV, TensorRole::kVBias, m_config.numKvHeads);
    }
    v = v.repeat_interleave(repeats, 1);
    if (m_config.qkNorm && !isWide) {
        q = norm(q, TensorRole::kQNorm);
        k = norm(k, TensorRole::kKNorm);
    }
    q = rotated(q);
    k = rotated(k).repeat_interleave(repeats, 1);

    const double scale = m_config.multipliers.attention.value_or(1 / std::sqrt(static_cast<double>(m_config.headDim)));
    std::vector<at::Tensor> outputs;
    for (std::size_t s = 0; s + 1 < m_batch.batch.starts.size(); ++s) {
        const int64_t first = m_batch.batch.starts[s], end = m_batch.batch.starts[s + 1];
        const auto sequence = [&](const at::Tensor& x) { return x.slice(0, first, end).transpose(0, 1); }; // [H, L, K]
        const at::Tensor scores = at::matmul(sequence(q), sequence(k).transpose(1, 2)) * scale;
        const at::Tensor index = at::arange(end - first);
        const at::Tensor distance = index.unsqueeze(1) - index.unsqueeze(0);
        at::Tensor hidden = distance < 0;
        if (m_window > 0) hidden = hidden | (distance >= m_window);
        const at::Tensor masked = scores.masked_fill(hidden, -INFINITY);
        at::Tensor weights;
        if (m_config.attentionSinks) { // one more logit, without a value
            const at::Tensor sinks = m_weights.at(TensorRole::kSinks).front().reshape({-1, 1, 1});
            weights = at::softmax(at::cat({masked, sinks.expand({-1, end - first, 1})}, -1), -1).slice(-1, 0, -1);
        } else {
            weights = at::softmax(masked, -1);
        }
        outputs.push_back(at::matmul(weights, sequence(v)).transpose(0, 1).reshape({end - first, -1}));
    }
    return linear(at::cat(outputs, 0), TensorRole::kO, TensorRole::kOBias);
}

at::Tensor ReferenceLayer::gated(const at::Tensor& gate, const at::Tensor& up) const {
    return (m_config.geluGate ? at::gelu(gate, "tanh") : at::silu(gate)) * up;
}

at::Tensor ReferenceLayer::mlp(const at::Tensor& normed) const {
    if (m_config.fusedLinears) {
        const std::vector<at::Tensor> both = linear(normed, TensorRole::kGateUp, std::nullopt).chunk(2, -1);
        return linear(gated(both[0], both[1]), TensorRole::kDown, std::nullopt);
    }
    const at::Tensor gate = linear(normed, TensorRole::kGate, TensorRole::kGateBias);
    const at::Tensor up = linear(normed, TensorRole::kUp, TensorRole::kUpBias);
    return linear(gated(gate, up), TensorRole::kDown, TensorRole::kDownBias);
}

at::Tensor ReferenceLayer::expert(const at::Tensor& x, int64_t e, const at::Tensor& tokens) const {
    const at::Tensor gate = linear(x, TensorRole::kExpertGate, std::nullopt, e, tokens);
    const at::Tensor up = linear(x, TensorRole::kExpertUp, std::nullopt, e, tokens);
    return linear(at::silu(gate) * up, TensorRole::kExpertDown, std::nullopt, e, tokens);
}

at::Tensor ReferenceLayer::expertOfStack(const at::Tensor& x, int64_t e) const {
    const arch::ExpertsConfig& config = m_config.experts;
    const auto given = [&](const at::Tensor& input, TensorRole role, TensorRole bias) {
        const at::Tensor y = at::matmul(input, m_weights.at(role).front()[e].t()) + m_weights.at(bias).front()[e];
        const auto found = m_adapters.find(m_layout.base.at(role).spec.name + '.' + std::to_string(e));
        if (found == m_adapters.end()) return y;
        const Adapter& adapter = found->second;
        return y + adapter.scale * at::matmul(at::matmul(input, adapter.a.t()), adapter.b.t());
    };
    const at::Tensor both = given(x, TensorRole::kExpertsGateUp, TensorRole::kExpertsGateUpBias);
    const at::Tensor gate = both.slice(1, 0, both.size(1), 2).clamp_max(config.gateLimit);
    const at::Tensor up = both.slice(1, 1, both.size(1), 2).clamp(-config.gateLimit, config.gateLimit);
    return given(gate * at::sigmoid(config.gateSlope * gate) * (up + 1), TensorRole::kExpertsDown,
                 TensorRole::kExpertsDownBias);
}

// Each expert computes the tokens that chose it, and adds to what those before it gave; one that all go through is
// last.
at::Tensor ReferenceLayer::experts(const at::Tensor& normed) const {
    const arch::ExpertsConfig& config = m_config.experts;
    const at::Tensor logits = linear(normed, TensorRole::kRouter, TensorRole::kRouterBias);
    const at::Tensor first = at::arange(config.count, at::kDouble) * 1e-12; // of equal ones
    const at::Tensor choices = std::get<1>(at::topk(logits - first, config.perToken, -1));
    at::Tensor weights = at::softmax(logits, -1).gather(1, choices);
    if (config.normalised) weights = weights / weights.sum(-1, true);
    at::Tensor sum = at::zeros_like(normed);
    for (int64_t e = 0; e < config.count; ++e) {
        const at::Tensor places = at::nonzero(choices == e); // [n, 2] token and place among its choices
        if (places.size(0) == 0) continue;
        const at::Tensor tokens = places.select(1, 0);
        const at::Tensor x = normed.index_select(0, tokens);
        const at::Tensor y = config.stacked ? expertOfStack(x, e) : expert(x, e, tokens);
        const at::Tensor weight = weights.reshape({-1}).index_select(0, tokens * config.perToken + places.select(1, 1));
        sum = sum.index_add(0, tokens, y * weight.unsqueeze(1));
    }
    if (!m_weights.contains(TensorRole::kSharedExpertGate)) return sum;
    return sum + at::sigmoid(linear(normed, TensorRole::kSharedExpertGate, std::nullopt)) * mlp(normed);
}

at::Tensor ReferenceLayer::block(const at::Tensor& in) const {
    const double multiplier = m_config.multipliers.residual;
    const at::Tensor attended = attention(normedWith(in, TensorRole::kInputNorm));
    const at::Tensor middle = in + multiplier * normedWith(attended, TensorRole::kAttentionOutNorm);
    const at::Tensor normed = normedWith(middle, TensorRole::kPostNorm);
    const at::Tensor given = m_weights.contains(TensorRole::kRouter) ? experts(normed) : mlp(normed);
    return middle + multiplier * normedWith(given, TensorRole::kMlpOutNorm);
}

at::Tensor ReferenceLayer::headLogits(const at::Tensor& in) const {
    return m_config.multipliers.logits * linear(norm(in, TensorRole::kFinalNorm), TensorRole::kLmHead, std::nullopt);
}

at::Tensor ReferenceLayer::headLoss(const at::Tensor& in) const {
    const at::Tensor labels = at::tensor(m_batch.batch.labels).to(at::kLong);
    return at::nll_loss(at::log_softmax(headLogits(in), -1), labels, {}, at::Reduction::Sum, kIgnoredLabel);
}

at::Tensor ReferenceLayer::gradient() const {
    at::Tensor all = at::zeros({m_layout.gradientElements}, at::kDouble);
    const auto gradientOf = [](const at::Tensor& leaf) { // none: an expert that no token chose
        return leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf);
    };
    for (const geometry::AdapterPlace& place : m_layout.adapter.linears) {
        const Adapter& adapter = m_adapters.at(place.linear.fullName);
        all.slice(0, place.offsetA, place.offsetA + adapter.a.numel()).copy_(gradientOf(adapter.a).flatten());
        all.slice(0, place.offsetB, place.offsetB + adapter.b.numel()).copy_(gradientOf(adapter.b).flatten());
    }
    std::map<TensorRole, std::size_t> next;
    for (const geometry::TensorPlace& place : m_layout.base.tensors) {
        const at::Tensor& leaf = m_weights.at(place.spec.role)[next[place.spec.role]++];
        if (!place.isTrained()) continue;
        const int64_t cols = place.spec.shape.back();
        all.as_strided({place.rows(), cols}, {place.pitchElements, 1}, place.gradientOffset)
            .copy_(gradientOf(leaf).reshape({place.rows(), cols}));
    }
    return all;
}

} // namespace roundpipe::testing
