# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random models of every architecture, with a tokenizer, a chat template and learnable rows, in Hugging Face form."""
import json
import pathlib

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, MixtralConfig,
                          MixtralForCausalLM, PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, Qwen2MoeConfig,
                          Qwen2MoeForCausalLM, Qwen3Config, Qwen3ForCausalLM, Qwen3MoeConfig,
                          Qwen3MoeForCausalLM)

TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' }}"
    "{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ message['content'] + '<|im_end|>' }}{% endif %}{{ '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")

WORDS = ("amber brook cedar delta ember field grove haven iris jade kelp lemon maple night ocean pearl quartz river "
         "stone tulip umber violet willow yarrow zephyr").split()


def rows(count):
    """The answer repeats the question's words in reverse: something that a small adapter can learn."""
    out = []
    for i in range(count):
        chosen = [WORDS[(i * 7 + j * (3 + i % 5)) % len(WORDS)] for j in range(3 + i % 4)]
        turns = [{"role": "user", "content": "Turn round: " + " ".join(chosen)},
                 {"role": "assistant", "content": " ".join(reversed(chosen)) + "."}]
        if i % 3 == 0:
            turns.insert(0, {"role": "system", "content": "You turn words round."})
        if i % 4 == 0:
            turns += [{"role": "user", "content": "Again?"}, {"role": "assistant", "content": "Yes, " + chosen[0] + "."}]
        out.append({"messages": turns})
    return out


def make_tokenizer(folder):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=special, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator([json.dumps(row) for row in rows(200)], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    return fast


SMALL = dict(hidden_size=64, intermediate_size=112, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=256)
ARCHITECTURES = {
    "llama": (LlamaForCausalLM, LlamaConfig,
              dict(head_dim=16, attention_bias=True, mlp_bias=True,
                   rope_scaling=dict(rope_type="llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
                                     original_max_position_embeddings=64))),
    "mistral": (MistralForCausalLM, MistralConfig, dict(sliding_window=24, head_dim=16)),
    "qwen2": (Qwen2ForCausalLM, Qwen2Config, dict(tie_word_embeddings=True)),
    "qwen3": (Qwen3ForCausalLM, Qwen3Config,
              dict(head_dim=32, tie_word_embeddings=True,
                   rope_scaling=dict(rope_type="yarn", factor=2.0, original_max_position_embeddings=128))),
}
# Mixtures of experts: whether routing weights are normalised, and dense blocks between sparse ones.
MIXTURES = {
    "mixtral": (MixtralForCausalLM, MixtralConfig,
                dict(num_local_experts=6, num_experts_per_tok=2, sliding_window=24)),
    "qwen2_moe": (Qwen2MoeForCausalLM, Qwen2MoeConfig,
                  dict(num_experts=6, num_experts_per_tok=2, moe_intermediate_size=24, shared_expert_intermediate_size=56,
                       mlp_only_layers=[1], use_sliding_window=True, sliding_window=24, max_window_layers=3)),
    "qwen2_moe_sparse": (Qwen2MoeForCausalLM, Qwen2MoeConfig,
                         dict(num_experts=5, num_experts_per_tok=2, moe_intermediate_size=32, shared_expert_intermediate_size=40,
                              norm_topk_prob=True)),
    "qwen3_moe": (Qwen3MoeForCausalLM, Qwen3MoeConfig,
                  dict(head_dim=32, num_experts=8, num_experts_per_tok=3, moe_intermediate_size=40, norm_topk_prob=True,
                       mlp_only_layers=[1])),
    "qwen3_moe_plain": (Qwen3MoeForCausalLM, Qwen3MoeConfig,
                        dict(head_dim=16, num_experts=5, num_experts_per_tok=2, moe_intermediate_size=24,
                             norm_topk_prob=False, decoder_sparse_step=2, tie_word_embeddings=True)),
    "qwen3_moe_sparse": (Qwen3MoeForCausalLM, Qwen3MoeConfig,
                         dict(head_dim=16, num_experts=6, num_experts_per_tok=2, moe_intermediate_size=32, norm_topk_prob=True)),
}


def make_model(name, folder, dtype=torch.float32, seed=0, tied=None):
    """`tied`: embeddings and head, where not as the architecture has them. Writes model, tokenizer and rows into `folder`; weights are large enough for the loss to depend on everything."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(folder)
    model_class, config_class, extra = (ARCHITECTURES | MIXTURES)[name]
    if tied is not None:
        extra = extra | dict(tie_word_embeddings=tied)
    config = config_class(vocab_size=len(tokenizer), eos_token_id=tokenizer.eos_token_id, bos_token_id=None,
                          pad_token_id=None, **SMALL, **extra)
    torch.manual_seed(seed)
    model = model_class(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, 0.08)
            else:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    model.to(dtype).save_pretrained(folder)
    with open(folder / "rows.jsonl", "w") as out:
        for row in rows(40):
            out.write(json.dumps(row) + "\n")
    return folder
