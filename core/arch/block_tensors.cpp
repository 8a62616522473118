// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/block_tensors.h"

#include "arch/text_part.h"

#include <fmt/format.h>

namespace roundpipe::arch {

BlockTensors::BlockTensors(const ModelConfig& config, int64_t block, std::vector<TensorSpec>& tensors)
    : m_config(config), m_prefix(fmt::format("{}layers.{}.", decoderPrefix(config), block)), m_tensors(tensors) {}

void BlockTensors::add(TensorRole role, TensorKind kind, const std::string& name, std::vector<int64_t> shape,
                       bool mxfp4) {
    m_tensors.push_back({role, m_prefix + name, std::move(shape), mxfp4, kind});
}

void BlockTensors::addLinear(TensorRole weight, TensorRole bias, const std::string& module, int64_t out, int64_t in,
                             bool hasBias, TensorKind kind) {
    add(weight, kind, module + ".weight", {out, in});
    if (hasBias) add(bias, TensorKind::kOther, module + ".bias", {out});
}

void BlockTensors::addLinears(std::initializer_list<Linear> linears, int64_t in, bool hasBias) {
    for (const Linear& linear : linears)
        add(linear.weight, TensorKind::kLinear, std::string(linear.module) + ".weight", {linear.out, in});
    if (!hasBias) return;
    for (const Linear& linear : linears)
        add(linear.bias, TensorKind::kOther, std::string(linear.module) + ".bias", {linear.out});
}

void BlockTensors::addAttention() {
    using enum TensorRole;
    const int64_t hidden = m_config.hiddenSize;
    const int64_t queries = m_config.numHeads * m_config.headDim;
    const int64_t keys = m_config.numKvHeads * m_config.headDim;
    const TensorKind norm = normKindOf(m_config);
    if (m_config.inputNorms) add(kInputNorm, norm, "input_layernorm.weight", {hidden});
    if (m_config.fusedLinears)
        addLinear(kQkv, kQBias, "self_attn.qkv_proj", queries + 2 * keys, hidden, false);
    else
        addLinears({{kQ, kQBias, "self_attn.q_proj", queries},
                    {kK, kKBias, "self_attn.k_proj", keys},
                    {kV, kVBias, "self_attn.v_proj", keys}},
                   hidden, m_config.qkvBias);
    addLinear(kO, kOBias, "self_attn.o_proj", hidden, queries, m_config.outputBias);
    if (m_config.qkNorm) {
        const bool isWide = m_config.qkNormIsWide;
        add(kQNorm, norm, "self_attn.q_norm.weight", {isWide ? queries : m_config.headDim});
        add(kKNorm, norm, "self_attn.k_norm.weight", {isWide ? keys : m_config.headDim});
    }
    if (m_config.attentionSinks) add(kSinks, TensorKind::kOther, "self_attn.sinks", {m_config.numHeads});
    // The second half's norm has the name that tells where it stands, which is another norm's where there are both.
    if (m_config.inputNorms)
        add(kPostNorm, norm,
            m_config.outputNorms ? "pre_feedforward_layernorm.weight" : "post_attention_layernorm.weight", {hidden});
    if (!m_config.outputNorms) return;
    add(kAttentionOutNorm, norm, "post_attention_layernorm.weight", {hidden});
    add(kMlpOutNorm, norm, "post_feedforward_layernorm.weight", {hidden});
}

} // namespace roundpipe::arch
