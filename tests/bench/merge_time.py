# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging an adapter into a model beside copying the model's files, in turns: times, memory, and whether it holds.

    python tests/bench/merge_time.py ROUNDPIPE CONFIG [--folder DIR] [--rank 16] [--rounds 3] [--blocks N]

CONFIG is a config.json; the weights are random, in bf16 and in shards of 5 GB, the adapter is one on all linear layers,
as PEFT writes it. The disk needs twice the model's size. Before each turn the model's files leave the page cache; both
sides count until all that they wrote is on the disk, and what cp alone took is told, too. Exit code 1 where merging takes
more than 1.2 times as long in the median, or 2 GB of memory.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

SHARD_BYTES = 5_000_000_000
MOST_TIME, MOST_BYTES = 1.2, 2_000_000_000


def linears_of(config):
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    head = config.get("head_dim") or hidden // config["num_attention_heads"]
    queries, keys = config["num_attention_heads"] * head, config["num_key_value_heads"] * head
    return {"self_attn.q_proj": (queries, hidden), "self_attn.k_proj": (keys, hidden), "self_attn.v_proj": (keys, hidden),
            "self_attn.o_proj": (hidden, queries), "mlp.gate_proj": (inner, hidden), "mlp.up_proj": (inner, hidden),
            "mlp.down_proj": (hidden, inner)}


def tensors_of(config):
    """Names and shapes of a dense model, in the order of its layers."""
    hidden = config["hidden_size"]
    yield "model.embed_tokens.weight", (config["vocab_size"], hidden)
    for block in range(config["num_hidden_layers"]):
        at = f"model.layers.{block}."
        for linear, shape in linears_of(config).items():
            yield at + linear + ".weight", shape
            if config.get("attention_bias") or (config["model_type"] == "qwen2" and linear[-6] in "qkv"):
                yield at + linear + ".bias", shape[:1]
        for norm in ("input_layernorm", "post_attention_layernorm"):
            yield at + norm + ".weight", (hidden,)
        if config["model_type"] == "qwen3":
            for norm in ("q_norm", "k_norm"):
                yield at + f"self_attn.{norm}.weight", (config.get("head_dim") or hidden // config["num_attention_heads"],)
    yield "model.norm.weight", (hidden,)
    if not config.get("tie_word_embeddings"):
        yield "lm_head.weight", (config["vocab_size"], hidden)


def write_safetensors(path, shapes, dtype, size, values):
    """`values(count)`: so many bytes."""
    entries, end = {}, 0
    for name, shape in shapes:
        begin, end = end, end + size * int(numpy.prod(shape))
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    head = json.dumps(entries | {"__metadata__": {"format": "pt"}}).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        for entry in entries.values():
            for piece in values(entry["data_offsets"][1] - entry["data_offsets"][0]):
                file.write(piece)
        os.fsync(file.fileno())


def random_bytes(draw, dtype):
    """Pieces of one random block, which begin at another place each time."""
    block = draw.normal(0, 0.02, 1 << 24).astype(numpy.float32)
    if dtype == "BF16":
        block = (block.view(numpy.uint32) >> 16).astype(numpy.uint16)
    raw = block.tobytes() * 2

    def values(count):
        while count > 0:
            begin = 4 * int(draw.integers(0, len(raw) // 8))
            piece = raw[begin:begin + min(count, len(raw) // 2)]
            count -= len(piece)
            yield piece
    return values


def write_model(folder, config):
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer_config.json").write_text("{}")
    shards, taken = [[]], 0
    for name, shape in tensors_of(config):
        size = 2 * int(numpy.prod(shape))
        if taken + size > SHARD_BYTES:
            shards.append([])
            taken = 0
        shards[-1].append((name, shape))
        taken += size
    index = {}
    values = random_bytes(numpy.random.default_rng(1), "BF16")
    for number, shapes in enumerate(shards, 1):
        file = f"model-{number:05}-of-{len(shards):05}.safetensors"
        index |= {name: file for name, _ in shapes}
        write_safetensors(folder / file, shapes, "BF16", 2, values)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))


def write_adapter(folder, config, rank):
    folder.mkdir()
    linears = linears_of(config)
    (folder / "adapter_config.json").write_text(json.dumps(
        {"peft_type": "LORA", "r": rank, "lora_alpha": 2 * rank, "target_modules": sorted(name.split(".")[1] for name in linears),
         "bias": "none", "task_type": "CAUSAL_LM"}))
    shapes = []
    for block in range(config["num_hidden_layers"]):
        for linear, (rows, cols) in linears.items():
            at = f"base_model.model.model.layers.{block}.{linear}"
            shapes += [(at + ".lora_A.weight", (rank, cols)), (at + ".lora_B.weight", (rows, rank))]
    write_safetensors(folder / "adapter_model.safetensors", shapes, "F32", 4, random_bytes(numpy.random.default_rng(2), "F32"))


def files_of(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def forget(folder):
    for path in files_of(folder):
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def flush(folder):
    for path in files_of(folder):
        with open(path, "rb") as file:
            os.fsync(file.fileno())


def timed(command):
    """Seconds by the clock and of the processor, and the most memory that was resident."""
    begin = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roundpipe")
    parser.add_argument("config")
    parser.add_argument("--folder")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--blocks", type=int)
    options = parser.parse_args()
    config = json.loads(pathlib.Path(options.config).read_text())
    config["num_hidden_layers"] = options.blocks or config["num_hidden_layers"]
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        work = pathlib.Path(scratch)
        model, adapter, made = work / "model", work / "adapter", work / "made"
        for write, more in ((write_model, (model, config)), (write_adapter, (adapter, config, options.rank))):
            writing = multiprocessing.Process(target=write, args=more)  # what is timed begins with as much as is resident here
            writing.start()
            writing.join()
        size = sum(path.stat().st_size for path in files_of(model))
        print(f"{size / 1e9:.2f} GB in {len(list(model.glob('*.safetensors')))} files, an adapter of rank {options.rank}", flush=True)
        times = {"cp": [], "merge": []}
        most = 0
        for _ in range(options.rounds):
            for name in times:
                forget(model)
                begin = time.perf_counter()
                command = ("cp", "-r", model, made) if name == "cp" else (
                    options.roundpipe, "export", "--model", model, "--adapter", adapter, "--to", "merged", "--out", made, "--no-proof")
                alone, cpu, memory = timed(command)
                flush(made)
                seconds = time.perf_counter() - begin
                times[name].append(seconds)
                if name == "merge":
                    most = max(most, memory)
                print(f"{name:5}  {seconds:7.1f} s ({alone:.1f} s before what was left to write), {cpu:.1f} s of the processor, "
                      f"{memory / 1e6:.0f} MB, load {os.getloadavg()[0]:.1f}", flush=True)
                shutil.rmtree(made)
        ratio = statistics.median(times["merge"]) / statistics.median(times["cp"])
        print(f"merging takes {ratio:.2f} times as long as copying (medians), and {most / 1e6:.0f} MB at most")
        sys.exit(ratio > MOST_TIME or most > MOST_BYTES)


if __name__ == "__main__":
    main()
