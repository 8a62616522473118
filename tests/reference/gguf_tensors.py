# SPDX-License-Identifier: GPL-3.0-or-later
"""A GGUF file's tensors: what each is called in a Hugging Face folder, and its values, unpacked by the gguf package."""
import gguf


def gguf_names(config):
    names = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight",
             "output.weight": "lm_head.weight"}
    parts = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
             "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
             "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "ffn_gate": "mlp.gate_proj",
             "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
    if config["model_type"] == "phi3":
        parts |= {"attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}
    if config["model_type"] == "olmo2":
        del parts["attn_norm"], parts["ffn_norm"]
        parts |= {"post_attention_norm": "post_attention_layernorm", "post_ffw_norm": "post_feedforward_layernorm"}
    if config["model_type"] == "gemma3_text":
        parts |= {"post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm",
                  "post_ffw_norm": "post_feedforward_layernorm"}
    for block in range(config["num_hidden_layers"]):
        for ours, theirs in parts.items():
            for ending in ("weight", "bias"):
                names[f"blk.{block}.{ours}.{ending}"] = f"model.layers.{block}.{theirs}.{ending}"
    return names


def values_of(tensor):
    return gguf.quants.dequantize(tensor.data, tensor.tensor_type)
