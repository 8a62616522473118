// SPDX-License-Identifier: GPL-3.0-or-later
// The config.json of a model that is small enough to be planned and simulated in no time; it has no weights.
#pragma once

namespace roundpipe::testing {

inline constexpr const char* kTinyModel = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
  "vocab_size": 512, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 6, "num_attention_heads": 4,
  "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 256, "rms_norm_eps": 1e-6,
  "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": true, "torch_dtype": "float32"})";

} // namespace roundpipe::testing
