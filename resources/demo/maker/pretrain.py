# SPDX-License-Identifier: GPL-3.0-or-later
"""The base model: its shape, its training on the corpus, its files."""

import contextlib
import json
import math
import time

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import Qwen3Config, Qwen3ForCausalLM

from .tokens import END_ID, PAD_ID

MAX_LENGTH = 512


def make_model(vocab_size, layers, seed):
    torch.manual_seed(seed)
    return Qwen3ForCausalLM(Qwen3Config(
        vocab_size=vocab_size, hidden_size=192, intermediate_size=448, num_hidden_layers=layers,
        num_attention_heads=4, num_key_value_heads=2, head_dim=64,
        max_position_embeddings=MAX_LENGTH, tie_word_embeddings=True, rms_norm_eps=1e-6,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0}, attention_dropout=0.0,
        bos_token_id=None, eos_token_id=END_ID, pad_token_id=PAD_ID, use_cache=False))


def _loss(model, ids):
    """Mean cross-entropy of the next token; the padding behind a row's text is left out."""
    logits = model(input_ids=ids[:, :-1]).logits
    labels = ids[:, 1:].clone()
    labels[(labels == PAD_ID) & (ids[:, :-1] == PAD_ID)] = -100
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten())


@torch.no_grad()
def evaluate(model, rows, device, batch):
    model.eval()
    with _autocast(device):
        losses = [_loss(model, torch.from_numpy(rows[i:i + batch].astype(np.int64)).to(device)).item()
                  for i in range(0, len(rows), batch)]
    model.train()
    return float(np.mean(losses))


def _autocast(device):
    return torch.autocast("cuda", torch.bfloat16) if device == "cuda" else contextlib.nullcontext()


def train(model, rows, held_out, device, steps, batch, peak_lr, seed):
    """AdamW, linear warm-up, then a cosine."""
    model.to(device).train()
    decay = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1},
                                   {"params": plain, "weight_decay": 0.0}],
                                  lr=peak_lr, betas=(0.9, 0.98), fused=device == "cuda")
    rng = np.random.default_rng(seed)
    order, start, warmup = [], time.monotonic(), max(1, min(175, steps // 10))
    step = 0
    while step < steps:
        if len(order) < batch:
            order = rng.permutation(len(rows)).tolist()
        chosen, order = order[:batch], order[batch:]
        ids = torch.from_numpy(rows[chosen].astype(np.int64)).to(device)
        progress = step / steps
        lr = peak_lr * min((step + 1) / warmup, 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        for group in optimizer.param_groups:
            group["lr"] = lr
        with _autocast(device):
            loss = _loss(model, ids)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        if step % max(1, steps // 20) == 0 or step == steps:
            print(f"step {step}/{steps} loss {loss.item():.4f} lr {lr:.2e} "
                  f"{time.monotonic() - start:.0f} s", flush=True)
    held = evaluate(model, held_out, device, batch)
    print(f"held-out loss {held:.4f} after {steps} steps, {time.monotonic() - start:.0f} s", flush=True)
    return {"steps": steps, "train_loss": loss.item(), "held_out_loss": held,
            "seconds": time.monotonic() - start}


def save_model(model, folder):
    """Weights in bf16 and the config files, in the spelling that older tools read as well."""
    state = {name: tensor.detach().to("cpu", torch.bfloat16).contiguous()
             for name, tensor in model.state_dict().items() if name != "lm_head.weight"}
    save_file(state, str(folder / "model.safetensors"), metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)
    c = model.config
    keys = ("vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads "
            "num_key_value_heads head_dim hidden_act max_position_embeddings rms_norm_eps "
            "tie_word_embeddings attention_bias attention_dropout initializer_range").split()
    config = {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3"}
    config |= {key: getattr(c, key) for key in keys}
    config |= {"rope_theta": 10000.0, "rope_scaling": None, "use_sliding_window": False,
               "bos_token_id": None, "eos_token_id": END_ID, "pad_token_id": PAD_ID, "use_cache": True,
               "torch_dtype": "bfloat16"}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "generation_config.json").write_text(json.dumps({
        "do_sample": True, "temperature": 0.7, "top_p": 0.9, "eos_token_id": [END_ID, PAD_ID],
        "pad_token_id": PAD_ID, "max_new_tokens": 120}, indent=2) + "\n")
