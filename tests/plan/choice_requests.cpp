// SPDX-License-Identifier: GPL-3.0-or-later
#include "choice_requests.h"

#include "arch/layers.h"
#include "plan/rig/rig_notation.h"

namespace roundpipe::plan {

arch::ModelSpec model8b() {
    return arch::makeModelSpec(arch::parseModelConfig(R"({
        "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288,
        "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
        "vocab_size": 151936, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6, "rope_theta": 1000000,
        "hidden_act": "silu", "torch_dtype": "bfloat16", "tie_word_embeddings": false})",
                                                      "config.json"));
}

ModelRequest request(const char* rig) {
    ModelRequest request;
    request.model = model8b();
    request.rig = parseRig(rig);
    request.training.lora.rank = 16;
    request.sequencesPerStep = 16;
    return request;
}

} // namespace roundpipe::plan
