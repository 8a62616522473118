#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the demo's model and data from nothing but this folder.

  make_demo.py data   --out DIR   the corpus statistics, tokenizer and instruction data
  make_demo.py train  --out DIR   the base model (uses a GPU if there is one)
  make_demo.py check  --out DIR   generates, then trains a LoRA adapter with PEFT on the CPU
  make_demo.py all    --out DIR   all three

Every text, the tokenizer and the order of training follow from --seed. Needs torch,
transformers, tokenizers, safetensors and numpy, and peft for the check; no network.
"""

import argparse
import json
import random
import re
import time
from pathlib import Path

from maker import corpus, parrot, tokens

HERE = Path(__file__).resolve().parent


def make_data(args):
    model, data = args.out / "model", args.out / "data"
    model.mkdir(parents=True, exist_ok=True)
    data.mkdir(parents=True, exist_ok=True)
    tokens.save_tokenizer(tokens.train_tokenizer(tokenizer_texts(args), args.vocab), model, 512)
    rows = parrot.rows(random.Random(args.seed + 2), args.rows)
    with (data / "instructions.jsonl").open("w") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")
    (data / "prompts.json").write_text(json.dumps(parrot.PROMPTS, indent=2) + "\n")


def tokenizer_texts(args):
    """A sample of the corpus, and the parrot's speech so that its words are whole tokens too."""
    texts = corpus.documents(args.seed + 1, min(args.documents, 30000))
    texts += [row["messages"][-1]["content"] for row in parrot.rows(random.Random(args.seed + 3), 2000)]
    special = re.compile("|".join(map(re.escape, (tokens.START, tokens.END, tokens.END_OF_TEXT))))
    return [part for text in texts for part in special.split(text)]


def make_model(args):
    import numpy as np
    import torch
    from tokenizers import Tokenizer

    from maker import pretrain

    start = time.monotonic()
    tokenizer = Tokenizer.from_file(str(args.out / "model/tokenizer.json"))
    rows = corpus.encoded_rows(tokenizer, args.seed, args.documents, pretrain.MAX_LENGTH)
    held_out = corpus.encoded_rows(tokenizer, args.seed + 4, 2000, pretrain.MAX_LENGTH)
    print(f"{args.documents} documents, {np.count_nonzero(rows) / 1e6:.2f} M tokens, {len(rows)} rows, "
          f"{time.monotonic() - start:.0f} s", flush=True)

    device = "cuda" if torch.cuda.is_available() else "cpu"
    print("device:", torch.cuda.get_device_name() if device == "cuda" else "cpu")
    model = pretrain.make_model(tokenizer.get_vocab_size(), args.layers, args.seed)
    print(f"{model.num_parameters() / 1e6:.2f} M parameters")
    figures = pretrain.train(model, rows, held_out, device, args.steps, args.batch, args.lr, args.seed)
    pretrain.save_model(model, args.out / "model")
    print(json.dumps(figures))


def run_check(args):
    from maker.check import check

    check(args.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["data", "train", "check", "all"])
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--documents", type=int, default=400000)
    parser.add_argument("--rows", type=int, default=480, help="instruction rows")
    parser.add_argument("--vocab", type=int, default=2560)
    parser.add_argument("--layers", type=int, default=10)
    parser.add_argument("--steps", type=int, default=2624)
    parser.add_argument("--batch", type=int, default=64, help="rows of 512 tokens in a training step")
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    steps = {"data": make_data, "train": make_model, "check": run_check}
    for name, step in steps.items():
        if args.what in (name, "all"):
            step(args)


if __name__ == "__main__":
    main()
