// SPDX-License-Identifier: GPL-3.0-or-later
// A model whose sizes are worked out by hand in the tests.
#pragma once

#include "arch/layers.h"

#include <string>

namespace roundpipe::testing {

// Hidden 8, MLP 12, 4 query heads and 2 key/value heads of 4, vocabulary 11, 2 blocks.
inline arch::ModelSpec smallModel(const std::string& architecture = "Qwen3ForCausalLM", const std::string& extra = {}) {
    return arch::makeModelSpec(arch::parseModelConfig(
        R"({"architectures":[")" + architecture +
            R"("],"vocab_size":11,"hidden_size":8,"intermediate_size":12,"num_hidden_layers":2,"head_dim":4,)"
            R"("num_attention_heads":4,"num_key_value_heads":2)" +
            extra + "}",
        "config.json"));
}

inline arch::LoraConfig smallLora(double dropout = 0) {
    return {3, 6, dropout, false, {"all-linear"}};
}

} // namespace roundpipe::testing
