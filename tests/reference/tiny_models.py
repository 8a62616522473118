# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random models of every architecture, with a tokenizer, a chat template and learnable rows, in Hugging Face form."""
import json
import pathlib

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (Gemma3Config, Gemma3ForCausalLM, Gemma3ForConditionalGeneration, Gemma3TextConfig, GptOssConfig, GptOssForCausalLM, GraniteConfig, GraniteForCausalLM, LlamaConfig, LlamaForCausalLM, MistralConfig,
                          MistralForCausalLM, MixtralConfig, MixtralForCausalLM, Olmo2Config, Olmo2ForCausalLM, Phi3Config, Phi3ForCausalLM,
                          PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM, Qwen2MoeConfig, Qwen2MoeForCausalLM,
                          Qwen3Config, Qwen3ForCausalLM, Qwen3MoeConfig, Qwen3MoeForCausalLM, SmolLM3Config,
                          SmolLM3ForCausalLM)

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
LONGROPE = dict(rope_type="longrope", rope_theta=10000.0, partial_rotary_factor=0.75, original_max_position_embeddings=256)
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
    "granite": (GraniteForCausalLM, GraniteConfig,
                dict(embedding_multiplier=6.0, logits_scaling=0.6, residual_multiplier=0.7, attention_multiplier=0.2)),
    # Linears in one, a part of each head turned, by other frequencies for short texts than for long ones.
    "phi3": (Phi3ForCausalLM, Phi3Config, dict(max_position_embeddings=512, original_max_position_embeddings=256, rope_scaling=LONGROPE)),
    "olmo2": (Olmo2ForCausalLM, Olmo2Config, dict()),  # norms of what a half adds, of q and k over all heads
    # Norms of 1 + w around each half, GELU, and a rotary base of its own in the blocks that look at a window.
    "gemma3": (Gemma3ForCausalLM, Gemma3TextConfig,
               dict(num_hidden_layers=6, head_dim=32, query_pre_attn_scalar=32, sliding_window=16,
                    rope_parameters=dict(full_attention=dict(rope_type="linear", factor=4.0, rope_theta=100000.0),
                                         sliding_attention=dict(rope_type="default", rope_theta=10000.0)))),
    "smollm3": (SmolLM3ForCausalLM, SmolLM3Config, dict()),  # its fourth block is without rotary embedding
}
GEMMA3 = ARCHITECTURES["gemma3"][2]
PICTURES = dict(vision_config=dict(hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, image_size=16,
                                   patch_size=8), mm_tokens_per_image=4)


def gemma3_with_pictures(vocab_size, eos_token_id, bos_token_id, pad_token_id, **text):
    ids = dict(vocab_size=vocab_size, eos_token_id=eos_token_id, bos_token_id=bos_token_id, pad_token_id=pad_token_id)
    return Gemma3Config(text_config=text | ids, image_token_index=vocab_size - 1, boi_token_index=vocab_size - 2,
                        eoi_token_index=vocab_size - 3, **PICTURES)


# Models of which a part is text.
WITH_PICTURES = {"gemma3_pictures": (Gemma3ForConditionalGeneration, gemma3_with_pictures, GEMMA3)}
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
# Sinks, biases, experts in a stack with a gated unit that cuts off (where some of these values are), windows in turn, YaRN.
STACKED = {"gpt_oss": (GptOssForCausalLM, GptOssConfig,
                       dict(head_dim=16, intermediate_size=96, num_local_experts=6, num_experts_per_tok=2, sliding_window=16,
                            swiglu_limit=0.75,
                            rope_parameters=dict(rope_type="yarn", rope_theta=10000.0, factor=4.0, beta_fast=32.0, beta_slow=1.0,
                                                 truncate=False, original_max_position_embeddings=64)))}


FUSED = {"q_proj": "qkv_proj", "k_proj": "qkv_proj", "v_proj": "qkv_proj", "gate_proj": "gate_up_proj", "up_proj": "gate_up_proj"}


def modules_of(model, names):
    """`names` as this model has them: where q, k and v are one linear, and gate and up another, those."""
    if isinstance(names, str):
        return names
    there = {name.rpartition(".")[2] for name, _ in model.named_modules()}
    return sorted({name if name in there else FUSED[name] for name in names})


def with_factors(extra):
    """Longrope has two factors for each pair of turned columns."""
    if extra.get("rope_scaling") is not LONGROPE:
        return extra
    pairs = int(SMALL["hidden_size"] // SMALL["num_attention_heads"] * LONGROPE["partial_rotary_factor"]) // 2
    factors = dict(short_factor=[1 + i / pairs for i in range(pairs)], long_factor=[1.5 + 5 * i / pairs for i in range(pairs)])
    return extra | dict(rope_scaling=LONGROPE | factors)


def make_model(name, folder, dtype=torch.float32, seed=0, tied=None):
    """`tied`: embeddings and head, where not as the architecture has them. Writes model, tokenizer and rows into `folder`; weights are large enough for the loss to depend on everything."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(folder)
    model_class, config_class, extra = (ARCHITECTURES | WITH_PICTURES | MIXTURES | STACKED)[name]
    if tied is not None:
        extra = extra | dict(tie_word_embeddings=tied)
    config = config_class(vocab_size=len(tokenizer), eos_token_id=tokenizer.eos_token_id, bos_token_id=None,
                          pad_token_id=None, **(SMALL | with_factors(extra)))
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
