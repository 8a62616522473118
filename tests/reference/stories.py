# SPDX-License-Identifier: GPL-3.0-or-later
"""A really trained small model (stories260K) fine-tuned on real Alpaca rows, by ours on 1 and on 3 CPU devices and by PEFT.

usage: stories.py ROUNDPIPE FIXTURES
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

import hf_trainer

ROUNDPIPE, FIXTURES = sys.argv[1], pathlib.Path(os.environ.get("ROUNDPIPE_FIXTURES") or sys.argv[2])
MODEL = FIXTURES / "weights" / "stories260K-hf"
TEMPLATE = pathlib.Path(__file__).resolve().parent / "chatml.jinja"
ROWS, STEPS, MAX_LENGTH, RATE = 96, 60, 256, 2e-3
PROMPT = "Describe a good day for a child."
torch.set_num_threads(1)


def run(*arguments):
    done = subprocess.run([str(a) for a in (ROUNDPIPE, *arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe {arguments[0]} failed ({done.returncode}): {done.stdout}{done.stderr}")
    return done.stdout


def examples_of(rows):
    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    tokenizer.chat_template = TEMPLATE.read_text().rstrip("\n")
    examples = []
    for row in rows:
        user = row["instruction"] + ("\n" + row["input"] if row["input"] else "")
        out = tokenizer.apply_chat_template([{"role": "user", "content": user}, {"role": "assistant", "content": row["output"]}],
                                            return_dict=True, return_assistant_tokens_mask=True)
        ids, trained = out["input_ids"][:MAX_LENGTH], out["assistant_masks"][:MAX_LENGTH]
        if any(trained[1:]):
            examples.append((ids, trained))
    return examples


def train(work, name, adapter, data, devices):
    out = work / name
    run("train", "--model", MODEL, "--chat-template", TEMPLATE, "--data", data, "--out", out, "--init-adapter", adapter,
        "--devices", devices, "--no-shuffle", "--validation-fraction", 0, "--max-length", MAX_LENGTH, "--max-steps", STEPS,
        "--microbatch-size", 2, "--microbatches", 4, "--learning-rate", RATE, "--warmup-steps", 5, "--quiet")
    return [json.loads(line)["loss"] for line in open(out / "metrics.jsonl")]


def answer(*adapter):
    return run("generate", "--model", MODEL, "--chat-template", TEMPLATE, "--prompt", PROMPT, "--max-new-tokens", 60, *adapter).strip()


def main():
    if not MODEL.is_dir():
        print("skipped: the fixtures are not beside this checkout")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        rows = json.load(open(FIXTURES / "datasets" / "llama_factory" / "alpaca_en_demo.json"))[:ROWS]
        (work / "rows.json").write_text(json.dumps(rows))
        hf_trainer.make_adapter(MODEL, work / "adapter", rank=16, alpha=32)
        one = train(work, "one", work / "adapter", work / "rows.json", "cpu")
        three = train(work, "three", work / "adapter", work / "rows.json", "cpu:3")
        examples = examples_of(rows)
        theirs, _ = hf_trainer.train(hf_trainer.load(MODEL, work / "adapter"), examples, 8, STEPS, RATE, warmup=5)
        gap = max(abs(a - b) for a, b in zip(one, theirs, strict=True))
        print(f"{len(examples)} examples, {STEPS} steps: loss {one[0]:.4f} -> {one[-1]:.4f} (PEFT {theirs[0]:.4f} -> {theirs[-1]:.4f})")
        print(f"largest gap to PEFT {gap:.2e} (at most 1e-03); 3 devices give {'the same bits' if one == three else 'OTHER LOSSES'}")
        print(f"> {PROMPT}\nbefore: {answer()!r}\nafter:  {answer('--adapter', work / 'one' / 'adapter')!r}")

        peft = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(MODEL), work / "one" / "adapter").eval()
        with torch.no_grad():
            exported = hf_trainer.loss_of(peft, *hf_trainer.batch_of(examples[:8])).item()
        print(f"the exported adapter in PEFT: loss {exported:.4f} on the first batch, which began at {one[0]:.4f}")
        shutil.rmtree(work / "one")
        ok = gap <= 1e-3 and one == three and sum(one[-12:]) < 0.97 * sum(one[:12]) and exported < one[0]
        sys.exit(0 if ok else 1)


main()
