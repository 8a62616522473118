# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse frequencies and attention scaling as transformers computes them, as JSON on standard output.

Usage: rotary_reference.py [CONFIG.json ...]   (further configs beside the ones below)
Each case: name, config (the text of a config.json), partial rotary factor, length, and for fp32 and fp64: frequencies and scaling.
"""
import json
import sys

import torch
from transformers import CONFIG_MAPPING
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

ARCHITECTURES = {"LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM", "SmolLM3ForCausalLM", "GraniteForCausalLM",
                 "GptOssForCausalLM"}

BASE = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": 512,
    "intermediate_size": 1024, "num_attention_heads": 8, "num_key_value_heads": 4, "num_hidden_layers": 2,
    "vocab_size": 100, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
    "torch_dtype": "float32",
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 512}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 256}
LONGROPE = {"rope_type": "longrope", "original_max_position_embeddings": 512,
            "short_factor": [1.0 + i / 16 for i in range(32)], "long_factor": [1.0 + i * i / 8 for i in range(32)]}
SCALINGS = {
    "default": (None, 100),
    "linear": ({"rope_type": "linear", "factor": 2.5}, 100),
    "dynamic, short": ({"rope_type": "dynamic", "factor": 2.0}, 100),
    "dynamic, long": ({"rope_type": "dynamic", "factor": 2.0}, 5000),
    "llama3": (LLAMA3, 100),
    "yarn": (YARN, 100),
    "yarn, mscale": ({**YARN, "mscale": 0.7, "mscale_all_dim": 1.3}, 100),
    "yarn, mscale alone": ({**YARN, "mscale": 0.7}, 100),
    "yarn, attention factor": ({**YARN, "attention_factor": 1.25}, 100),
    "yarn, not truncated": ({**YARN, "truncate": False}, 100),
    "yarn, betas": ({**YARN, "beta_fast": 16.0, "beta_slow": 2.0}, 100),
    "longrope, short": (LONGROPE, 512),
    "longrope, long": (LONGROPE, 513),
    "longrope, factor": ({**LONGROPE, "factor": 8.0}, 600),
    "longrope, attention factor": ({**LONGROPE, "attention_factor": 1.25}, 600),
    "yarn, partial": ({**YARN, "partial_rotary_factor": 0.5}, 100),
    "llama3, partial": ({**LLAMA3, "partial_rotary_factor": 0.25}, 100),
}


def compute(raw, length):
    config = CONFIG_MAPPING[raw["model_type"]].from_dict(json.loads(json.dumps(raw)))
    kind = config.rope_parameters["rope_type"]
    if kind == "default":
        frequencies, scaling = LlamaRotaryEmbedding.compute_default_rope_parameters(config)
    else:
        frequencies, scaling = ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"), seq_len=length)
    return {"frequencies": frequencies.double().tolist(), "scaling": float(scaling)}


def main():
    cases = []
    for name, (scaling, length) in SCALINGS.items():
        raw = dict(BASE)
        if scaling:
            raw["rope_scaling"] = dict(scaling)
        if scaling and "partial_rotary_factor" in scaling:
            raw["partial_rotary_factor"] = scaling["partial_rotary_factor"]
        cases.append({"name": name, "raw": raw, "length": length})
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            raw = json.load(file)
        if raw.get("architectures", [""])[0] in ARCHITECTURES and raw.get("quantization_config", {}).get("quant_method", "mxfp4") == "mxfp4":
            cases.append({"name": path, "raw": raw, "length": 100})

    for case in cases:
        case["fp32"] = compute(case["raw"], case["length"])
    torch.float = torch.float32 = torch.float64  # the functions name the type they round to
    torch.Tensor.float = torch.Tensor.double
    for case in cases:
        case["fp64"] = compute(case["raw"], case["length"])
        raw = case.pop("raw")
        # Given apart: our config reader refuses it for architectures whose own code rotates whole heads.
        case["partial"] = raw.pop("partial_rotary_factor", 1.0)
        if raw.get("rope_scaling"):
            raw["rope_scaling"].pop("partial_rotary_factor", None)
        case["config"] = json.dumps(raw)
    json.dump(cases, sys.stdout)


main()
