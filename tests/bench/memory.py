# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory that a plan says against what `roundpipe bench` measures of the run: the process's and each device's.

usage: memory.py ROUNDPIPE [--gpu MODEL ...] [--shapes N] [--check]
    on CPU workers: 30 small shapes. Nothing is page-locked there, and the devices' buffers lie in the process, too: the
    host's part and the devices' together are held against what the process's own memory grows by.
    --gpu: on cuda:0, shapes of these config.json files; page-locked memory and the GPU's peak.
    --shapes: the first so many (those differ most); --check: exit code 1 where a bound is broken.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HOST, DEVICE, BELOW = 0.10, 0.03, 0.03  # how far off a plan may be; how far below what is measured
MIB = 2**20


def model(hidden, intermediate, layers, vocabulary, tied=False):
    return {"architectures": ["Qwen3ForCausalLM"], "vocab_size": vocabulary, "hidden_size": hidden,
            "intermediate_size": intermediate, "num_hidden_layers": layers, "head_dim": 64,
            "num_attention_heads": hidden // 64, "num_key_value_heads": hidden // 128, "tie_word_embeddings": tied}


MODELS = {"wide": model(1024, 3072, 6, 8192), "deep": model(512, 1408, 16, 8192), "tied": model(768, 2048, 8, 24576, True)}


def shape(config, devices, length, size, microbatches, rounds=1, *more):
    return config, ["--devices", f"cpu:{devices}", "--max-length", length, "--microbatch-size", size, "--microbatches",
                    microbatches, "--rounds", rounds, *more]


ONE_BY_ONE = ("--forward-stages", ",".join(["1"] * 17), "--backward-stages", ",".join(["1"] * 17))  # of "deep"; the embedding is not trained
FULL, STALE = ("--method", "full"), ("--updates", "one-step-stale")
CPU_SHAPES = [
    shape("wide", 1, 32, 2, 4),
    shape("deep", 2, 64, 1, 8, 1, *ONE_BY_ONE),
    shape("deep", 2, 64, 1, 1, 8, *ONE_BY_ONE),
    shape("tied", 2, 32, 2, 4, 2, *FULL),
    shape("wide", 1, 32, 2, 4, 1, *FULL),
    shape("wide", 2, 128, 1, 4),
    shape("wide", 2, 32, 2, 4, 1, *FULL),
    shape("wide", 2, 32, 2, 4, 1, *FULL, *STALE),
    shape("wide", 2, 32, 2, 4, 1, *FULL, "--moments", "bf16"),
    shape("wide", 2, 32, 2, 4, 1, *FULL, "--precision", "bf16"),
    shape("wide", 4, 32, 1, 8),
    shape("wide", 2, 256, 1, 2),
    shape("wide", 1, 16, 8, 2),
    shape("wide", 2, 16, 1, 32),
    shape("deep", 1, 32, 2, 4),
    shape("deep", 1, 32, 2, 4, 1, *FULL),
    shape("deep", 2, 32, 2, 4, 2),
    shape("deep", 2, 32, 2, 4, 1, *STALE),
    shape("deep", 2, 64, 1, 8, 1, *ONE_BY_ONE, *STALE),
    shape("deep", 4, 64, 1, 8, 1, *ONE_BY_ONE),
    shape("deep", 4, 64, 1, 4, 1, *FULL),
    shape("deep", 2, 128, 1, 4),
    shape("deep", 2, 32, 2, 4, 1, "--rank", 128, "--alpha", 128),
    shape("deep", 2, 64, 1, 16, 1, *ONE_BY_ONE),
    shape("tied", 1, 32, 2, 4),
    shape("tied", 1, 32, 2, 4, 1, *FULL),
    shape("tied", 2, 64, 1, 4),
    shape("tied", 2, 32, 2, 4, 1, "--modules-to-save", "embed_tokens,norm"),
    shape("tied", 2, 32, 2, 4, 2, *STALE),
    shape("tied", 4, 32, 1, 8, 2),
]


def gpu_shapes(configs):
    """Each model: lengths, microbatches, rounds, LoRA and all weights; what stays, and what travels with 16 GiB."""
    for config in configs:
        for more in ((), FULL, (*FULL, "--moments", "bf16")):
            yield config, ["--devices", "cuda:0", "--max-length", 2048, "--microbatch-size", 2, "--microbatches", 4, *more]
        for length, size, microbatches, rounds in ((512, 8, 4, 1), (2048, 4, 4, 2), (8192, 1, 4, 1), (16384, 1, 2, 2), (32768, 1, 1, 1)):
            for device in ("cuda:0", "cuda:0@24GiB"):
                yield config, ["--devices", device, "--max-length", length, "--microbatch-size", size, "--microbatches",
                               microbatches, "--rounds", rounds]


def measure(roundpipe, config, options):
    command = [roundpipe, "bench", "--model", config, "--random-weights", *options, "--steps", 2, "--warm-up", 1]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    found = json.loads(done.stdout)
    host, estimated = found["host"], found["estimated"]
    devices = [device["peak_bytes"] for device in found["devices"]]
    grown = host["own_bytes"] - host["own_bytes_before"]
    on_cpu = estimated["host_pinned_bytes"] == 0
    on_devices = sum(device["bytes_with_driver_and_libraries"] for device in estimated["devices"])
    return {"process": (estimated["host_pageable_bytes"] + on_devices, grown) if on_cpu else None,
            "pinned": None if on_cpu else (estimated["host_pinned_bytes"], host["pinned_bytes"]),
            "device": max(((estimate["peak_bytes"], peak) for estimate, peak in zip(estimated["devices"], devices)),
                          key=lambda pair: abs(pair[0] / pair[1] - 1))}


def off(pair):
    return pair[0] / pair[1] - 1


def cell(pair):
    return "–" if pair is None else f"{pair[0] / MIB:.0f}, {pair[1] / MIB:.0f} ({100 * off(pair):+.1f} %)"


def is_bad(row):
    bounds = {"process": HOST, "pinned": HOST, "device": DEVICE}
    return any(row[key] is not None and not -BELOW <= off(row[key]) <= most for key, most in bounds.items())


def measure_until_good(roundpipe, config, options, tries=3):
    """A run whose workers wait for a processor has fewer buffers in use at once than it may have."""
    for _ in range(tries):
        row = measure(roundpipe, config, options)
        if not is_bad(row):
            break
    return row


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("roundpipe")
    parser.add_argument("--gpu", nargs="+", default=[])
    parser.add_argument("--shapes", type=int)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    bad = 0
    print("| shape | process, planned and measured, MiB | page-locked | the device that is furthest off |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        shapes = CPU_SHAPES
        for name, config in MODELS.items():
            (pathlib.Path(folder) / f"{name}.json").write_text(json.dumps(config))
        if given.gpu:
            shapes = list(gpu_shapes(given.gpu))
        for config, options in shapes[:given.shapes]:
            path = config if given.gpu else pathlib.Path(folder) / f"{config}.json"
            name = f"{pathlib.Path(config).stem} {' '.join(map(str, options))}"
            try:
                row = measure_until_good(given.roundpipe, path, options)
            except RuntimeError as error:
                print(f"| {name} | does not run: {str(error).splitlines()[0] if str(error) else ''} | | |")
                bad += not given.gpu
                continue
            bad += is_bad(row)
            print(f"| {name} | {cell(row['process'])} | {cell(row['pinned'])} | {cell(row['device'])} |{' <' if is_bad(row) else ''}", flush=True)
    print(f"\n{bad} of {len(shapes[:given.shapes])} out of bounds")
    sys.exit(1 if given.check and bad else 0)


if __name__ == "__main__":
    main()
