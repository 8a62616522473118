# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows and megabytes a second from a JSONL file to masked token ids: ours beside Hugging Face's datasets.map.

Both render the same conversations with the same template ({% generation %} tags), tokenise with the same tokenizer, mask
the assistant's turns and leave the result on the disk, on two cores, one after the other in one run. Ours runs three
times without a cache and once with; the counts of tokens and of trained tokens must agree. Where other jobs
share the machine, the ratio of processor times is the one to trust.

    python tests/bench/data_rate.py --build build/release [--rows 50000] [--fixtures ../shared/fixtures]
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

WORDS = ("the model learns from what it reads and a token is a piece of text whose border nobody sees so count them all "
         "before you train because a wrong mask costs a week; für naïve 你好 readers: f(x) = x ** 2 # done").split(" ")
CORES = 2


def arguments():
    checkout = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--rows", type=int, default=50000)
    parser.add_argument("--fixtures", default=os.environ.get("ROUNDPIPE_FIXTURES", os.path.join(checkout, "../shared/fixtures")))
    parser.add_argument("--reference", nargs=3, metavar=("TOKENIZER", "TEMPLATE", "DATA"), help=argparse.SUPPRESS)
    return parser.parse_args()


def write_rows(path, count):
    """Conversations of one to four exchanges, 20 to 180 words an answer."""
    draw = random.Random(1)

    def words(least, most):
        return " ".join(draw.choices(WORDS, k=draw.randint(least, most)))

    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            messages = [{"role": "system", "content": words(5, 20)}] if draw.random() < 0.3 else []
            for _ in range(draw.randint(1, 4)):
                messages += [{"role": "user", "content": words(5, 60)}, {"role": "assistant", "content": words(20, 180)}]
            file.write(json.dumps({"messages": messages}, ensure_ascii=False) + "\n")


def tokenizer_folder(source, folder):
    import gzip

    for name in os.listdir(source):
        path = os.path.join(source, name)
        if name.endswith(".gz"):
            with gzip.open(path) as packed, open(os.path.join(folder, name[:-3]), "wb") as plain:
                shutil.copyfileobj(packed, plain)
        else:
            shutil.copy(path, folder)


def cpu_seconds():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def reference(tokenizer_path, template_path, data):
    """Hugging Face's side, in a process of its own."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # two processes are two cores
    from datasets import load_dataset
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tokenizer_path)
    with open(template_path, encoding="utf-8") as file:
        template = file.read()

    def encode(rows):
        encoded = tokenizer.apply_chat_template(rows["messages"], chat_template=template, tokenize=True, return_dict=True,
                                                return_assistant_tokens_mask=True)
        return {"input_ids": encoded["input_ids"], "assistant_masks": encoded["assistant_masks"]}

    began, cpu_began = time.perf_counter(), cpu_seconds()
    rows = load_dataset("json", data_files=data, split="train")
    rows = rows.map(encode, batched=True, num_proc=CORES, remove_columns=rows.column_names)
    seconds, cpu = time.perf_counter() - began, cpu_seconds() - cpu_began
    tokens = trained = 0
    for row in rows:
        tokens += len(row["input_ids"])
        trained += sum(row["assistant_masks"][1:])
    usage = [resource.getrusage(who).ru_maxrss * 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"rows": len(rows), "tokens": tokens, "trained": trained, "seconds": seconds, "cpu_seconds": cpu,
                      "peak_bytes": usage[0] + CORES * usage[1]}))


def run(command, **environment):
    result = subprocess.run(["taskset", "-c", "0,1"] + command, env={**os.environ, **environment}, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr[-2000:])
    return json.loads(result.stdout.splitlines()[-1])


def show(name, result, data_bytes):
    print(f"{name:28} {result['seconds']:8.2f} s {result['rows'] / result['seconds']:10.0f} rows/s "
          f"{data_bytes / result['seconds'] / 1e6:8.1f} MB/s {result['cpu_seconds']:8.2f} CPU s  peak {result['peak_bytes'] / 1e6:6.0f} MB", flush=True)


def main():
    options = arguments()
    if options.reference:
        reference(*options.reference)
        return
    with tempfile.TemporaryDirectory() as folder:
        data, model = os.path.join(folder, "rows.jsonl"), os.path.join(folder, "model")
        os.mkdir(model)
        tokenizer_folder(os.path.join(options.fixtures, "tokenizers/qwen3"), model)
        template = os.path.join(options.fixtures, "chat_templates/trl/qwen3_training.jinja")
        write_rows(data, options.rows)
        size = os.path.getsize(data)
        probe = os.path.join(options.build, "tests/data/data_rate")
        print(f"{options.rows} conversations, {size / 1e6:.1f} MB; Qwen3 tokenizer, qwen3_training.jinja; {CORES} cores")
        ours = []
        for attempt in range(3):
            cache = os.path.join(folder, f"cache{attempt}")
            ours.append(run([probe, model, template, data, str(CORES), cache]))
            show("RoundPipe", ours[-1], size)
        show("RoundPipe, from its cache", run([probe, model, template, data, str(CORES), cache]), size)
        theirs = run([sys.executable, __file__, "--build", "-", "--reference", model, template, data],
                     HF_HOME=os.path.join(folder, "hf"), HF_DATASETS_OFFLINE="1", HF_HUB_OFFLINE="1")
        show(f"datasets.map(num_proc={CORES})", theirs, size)
        ratios = [theirs[key] / sorted(result[key] for result in ours)[1] for key in ("seconds", "cpu_seconds")]
        print(f"ratio {ratios[0]:.2f} by the clock, {ratios[1]:.2f} in processor time; tokens {ours[0]['tokens']} and {theirs['tokens']}, "
              f"trained {ours[0]['trained']} and {theirs['trained']}")
        if any(ours[0][key] != theirs[key] for key in ("rows", "tokens", "trained")):
            sys.exit("the two disagree")


if __name__ == "__main__":
    main()
