# SPDX-License-Identifier: GPL-3.0-or-later
"""README's table of what fits which cards, and how fast: predicted by `roundpipe plan`, measured where RESULTS.md says.

usage: what_fits.py ROUNDPIPE [--mend]
    Compares the table with what the program and RESULTS.md say now; exit code 1 where they differ. --mend writes it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
README, RESULTS = HERE.parent.parent / "README.md", HERE / "RESULTS.md"
BEGIN, END = "<!-- tests/bench/what_fits.py writes these lines -->", "<!-- up to here -->"


def shape(architecture, hidden, intermediate, layers, heads, vocabulary, tied=False):
    """Key/value heads and widths of heads are the same in all: 8 of 128."""
    return {"architectures": [architecture], "hidden_size": hidden, "intermediate_size": intermediate,
            "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": 8, "head_dim": 128,
            "vocab_size": vocabulary, "tie_word_embeddings": tied,
            "max_position_embeddings": 10**7}  # the table is about memory, not about what a model has learned


QWEN3, LLAMA = "Qwen3ForCausalLM", "LlamaForCausalLM"
MODELS = {
    "Qwen3-1.7B": shape(QWEN3, 2048, 6144, 28, 16, 151936, True),
    "Qwen3-4B": shape(QWEN3, 2560, 9728, 36, 32, 151936, True),
    "Llama-3.1-8B": shape(LLAMA, 4096, 14336, 32, 32, 128256),
    "Qwen3-8B": shape(QWEN3, 4096, 12288, 36, 32, 151936),
    "Qwen3-14B": shape(QWEN3, 5120, 17408, 40, 40, 151936),
    "Qwen3-32B": shape(QWEN3, 5120, 25600, 64, 64, 151936),
}
METHODS = {"LoRA": ["--method", "lora", "--rank", "32", "--alpha", "32"], "all weights": ["--method", "full"]}
RIGS = {"1 × RTX 3090": "1x3090,ram=64", "1 × RTX 4090": "1x4090,ram=64", "2 × RTX 4090": "2x4090,ram=128",
        "4 × RTX 4090": "4x4090,ram=256", "8 × RTX 4090": "8x4090,ram=512", "1 × RTX 5090": "1x5090,ram=128",
        "1 × H200": "1xh200,ram=128"}


def plan(program, config, rig, options):
    """The plan as `roundpipe plan` prints it, whether it fits or not. Lengths beyond a table's models are no error."""
    command = [program, "plan", "--json", "--estimated", "--model", config, "--rig", rig, *options]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if not ran.stdout.startswith("{"):
        sys.exit(f"{' '.join(map(str, command))}\nprinted no plan: {ran.stderr}")
    return json.loads(ran.stdout)


def longest(answer):
    """Of a plan for more tokens than fit anywhere, the remedy that keeps everything but the length; nothing: none."""
    for remedy in answer["fixes"]:
        if found := re.fullmatch(r"sequences of at most (\d+) tokens", remedy["change"]):
            return int(found[1])
    return None


def cell(program, config, rig, method, measured):
    fast = plan(program, config, rig, [*METHODS[method], "--max-length", "2048"])
    if not fast["fits"]:
        return "–"
    rate = f"**{measured}**" if measured else f"{float(format(fast['predicted']['tokens_per_second'], '.2g')):,.0f}"
    tokens = longest(plan(program, config, rig, [*METHODS[method], "--microbatch-size", "1", "--microbatches", "1",
                                                 "--max-length", str(2**21)]))
    return f"{rate} · {tokens // 1024} K" if tokens else rate


def measured_rates():
    """(model, method, rig) to tokens/s, of RESULTS.md's first table."""
    rates = {}
    for line in RESULTS.read_text(encoding="utf-8").split("\n## ")[1].splitlines():
        cells = [part.strip() for part in line.strip("|").split("|")]
        if len(cells) >= 4 and cells[0] in MODELS:
            rates[tuple(cells[:3])] = cells[3]
    return rates


def table(program):
    rates = measured_rates()
    lines = ["| | " + " | ".join(RIGS) + " |", "|---" * (len(RIGS) + 1) + "|"]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = {}
        for model, values in MODELS.items():
            config = pathlib.Path(folder) / f"{model}.json"
            config.write_text(json.dumps(values), encoding="utf-8")
            for method in METHODS:
                rows[f"{model}, {method}"] = [
                    pool.submit(cell, program, config, rig, method, rates.get((model, method, name)))
                    for name, rig in RIGS.items()]
        lines += [f"| {title} | " + " | ".join(one.result() for one in cells) + " |" for title, cells in rows.items()]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--mend", action="store_true")
    options = parser.parse_args()
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    stands, after = rest.split(END)
    now = f"\n\n{table(options.program)}\n\n"
    if stands == now:
        print(f"README's table is what the program says: {len(MODELS) * len(METHODS) * len(RIGS)} cells")
        return 0
    if options.mend:
        README.write_text(before + BEGIN + now + END + after, encoding="utf-8")
        return 0
    print("README's table of what fits is not what the program says now; tests/bench/what_fits.py ROUNDPIPE --mend "
          f"writes this:\n{now}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
