# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains random weights of a Qwen3 shape by a program that people would otherwise take; prints one JSON line.

usage: peer.py roundpipe|hf|liger CONFIG.json [options]
    roundpipe   the method's public Python library, on all GPUs that it sees; weights in page-locked host memory
    hf          transformers and PEFT, everything on one GPU
    liger       the same with Liger's kernels

In bf16, on made-up tokens that are all trained. Needs torch, transformers and peft; roundpipe 0.1.1 with beartype below
0.23 (whose checks of types would slow it down), or liger-kernel 0.8.5.
"""
import argparse
import json
import os
import statistics
import time
import warnings

warnings.filterwarnings("ignore")


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("system", choices=["roundpipe", "hf", "liger"])
    parser.add_argument("config")
    parser.add_argument("--method", choices=["lora", "full"], default="lora")
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--batch", type=int, default=16, help="sequences of a step, on all GPUs together")
    parser.add_argument("--length", type=int, default=2048)
    parser.add_argument("--microbatches", type=int, default=4)
    parser.add_argument("--keep-activations", action="store_true", help="hf, liger: nothing is computed again")
    parser.add_argument("--steps", type=int, default=20, help="steps that are measured at most")
    parser.add_argument("--seconds", type=float, default=40, help="no step begins after so long, but for the first five")
    return parser.parse_args()


asked = options()
import torch  # noqa: E402
import transformers  # noqa: E402
from peft import LoraConfig, LoraModel, TaskType, get_peft_model  # noqa: E402

WARM_UP, LEAST_STEPS = 2, 5


def shape():
    with open(asked.config) as file:
        config = transformers.Qwen3Config(**json.load(file))
    config.use_cache = False
    config.dtype = torch.bfloat16
    config._attn_implementation = "sdpa"
    return config


def adapter():
    return LoraConfig(r=asked.rank, lora_alpha=2 * asked.rank, target_modules="all-linear", task_type=TaskType.CAUSAL_LM)


def measure(step, wait):
    for _ in range(WARM_UP):
        step()
    wait()
    seconds, begun = [], time.monotonic()
    while len(seconds) < LEAST_STEPS or (len(seconds) < asked.steps and time.monotonic() - begun < asked.seconds):
        before = time.monotonic()
        step()
        wait()
        seconds.append(time.monotonic() - before)
    gpus = range(torch.cuda.device_count())
    print(json.dumps(dict(
        system=asked.system, step_seconds=[round(s, 4) for s in seconds],
        tokens_per_second=asked.batch * asked.length / statistics.median(seconds),
        peak_bytes=[torch.cuda.max_memory_allocated(gpu) for gpu in gpus], microbatches=asked.microbatches,
        keeps_activations=asked.keep_activations, torch=torch.__version__, transformers=transformers.__version__)), flush=True)


def resident():
    if asked.system == "liger":
        from liger_kernel.transformers import apply_liger_kernel_to_qwen3
        apply_liger_kernel_to_qwen3()
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = transformers.Qwen3ForCausalLM(shape())
    if asked.method == "lora":
        model = get_peft_model(model, adapter())
        model.enable_input_require_grads()
    if not asked.keep_activations:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.train()
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-5, fused=True)
    rows = torch.randint(0, model.config.vocab_size, (asked.batch, asked.length), device="cuda")

    def step():
        for part in rows.chunk(asked.microbatches):
            (model(input_ids=part, labels=part).loss / asked.microbatches).backward()
        optimizer.step()
        optimizer.zero_grad()

    measure(step, torch.cuda.synchronize)


def random_on_host(model):
    """Weights drawn on the GPU, which takes seconds where the host takes minutes; rotary frequencies as they must be."""
    model = model.to(torch.bfloat16).to_empty(device="cpu")
    config = model.config
    frequencies = 1.0 / (1e6 ** (torch.arange(0, config.head_dim, 2).float() / config.head_dim))
    with torch.no_grad():
        for parameter in model.parameters():
            drawn = torch.empty(parameter.shape, dtype=torch.bfloat16, device="cuda")
            parameter.data = (drawn.normal_(std=0.02) if parameter.ndim > 1 else drawn.fill_(1)).cpu()
        for _, buffer in model.model.rotary_emb.named_buffers():
            buffer.data = frequencies.clone()
        if config.tie_word_embeddings:
            model.lm_head.weight = model.model.embed_tokens.weight
    return model


def compile_once():
    """The library compiles on its GPUs' threads, and for as long as torch compiles for the first time, it breaks the calls
    of modules on other threads (NameError: module is not installed as a submodule; seen with four GPUs)."""
    value = torch.ones(8, device="cuda", requires_grad=True)
    torch.compile(lambda x: (x * x).sum())(value).backward()


def library():
    compile_once()
    import roundpipe
    import roundpipe.models.qwen3 as preset
    from roundpipe.optim import Adam
    from transformers.models.qwen3 import modeling_qwen3
    # transformers 5 renamed the arguments of its masks and dropped an attribute. Without a mask attention is causal.
    preset.create_causal_mask = lambda **_: None
    modeling_qwen3.Qwen3DecoderLayer.attention_type = "full_attention"
    with torch.device("meta"):
        model = transformers.Qwen3ForCausalLM(shape())
        if asked.method == "lora":
            model = LoraModel(model, adapter(), "default").model
    wrapped = roundpipe.wrap_model_to_roundpipe(
        random_on_host(model), optim_dtype=torch.float32, use_sequential_preset=True, pin_model="alloc",
        model_run_config=roundpipe.RoundPipeRunConfig(num_microbatch=asked.microbatches))
    optimizer = Adam(wrapped.optim_parameters(), lr=1e-5)
    rows = torch.randint(0, model.config.vocab_size, (asked.batch, asked.length))
    inputs = dict(input_ids=rows, attention_mask=torch.ones_like(rows), labels=rows, return_logits=False)

    def update():
        optimizer.step()
        optimizer.zero_grad()

    def step():
        wrapped.forward_backward(input_kwargs=inputs, loss_fn=lambda out, _: out.loss / asked.microbatches)
        wrapped.step(update)

    measure(step, lambda: None)  # its updates are one step stale, which is its default: a step ends when it returns


library() if asked.system == "roundpipe" else resident()
os._exit(0)  # the library has threads that do not end
