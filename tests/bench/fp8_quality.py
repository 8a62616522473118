# SPDX-License-Identifier: GPL-3.0-or-later
"""What products in FP8 cost in quality: a small trained model (stories260K) learns by adapters who has what, and is asked
of pairs that it has not seen. By transformers and PEFT, with the base's products as core/model/compute/fp8_products.h has
them, in PyTorch's FP8; in bf16; and with the base rounded alone (int8, fp8).

usage: fp8_quality.py FIXTURES [SEEDS]
"""
import itertools
import pathlib
import random
import statistics
import sys

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

MODEL = pathlib.Path(sys.argv[1]) / "weights" / "stories260K-hf"
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
NAMES = ("Tom", "Lily", "Ben", "Mia", "Sam", "Anna", "Max", "Sue", "Tim", "Amy", "Jack", "Lucy")
THINGS = ("cat", "dog", "ball", "cake", "hat", "fish", "bird", "car", "book", "tree", "box", "toy")
STEPS, ROWS, RATE, RANK = 300, 16, 6e-3, 16
torch.set_num_threads(1)


def quantised(rows, kind=torch.float8_e4m3fn, largest=448):
    scales = rows.abs().amax(dim=-1, keepdim=True).float() / largest
    codes = (rows.float() / scales.clamp(min=2.0 ** -120)).to(kind)
    return codes.float(), scales


class Fp8Product(torch.autograd.Function):
    """y = x wT and dx, as a GPU multiplies them: codes of x and w, sums in fp32, results in bf16."""
    gradient = (torch.float8_e4m3fn, 448)

    @staticmethod
    def forward(context, x, codes, scales):
        context.save_for_backward(codes, scales)
        x_codes, x_scales = quantised(x)
        return ((x_codes @ codes.t()) * x_scales * scales.t()).to(x.dtype)

    @staticmethod
    def backward(context, dy):
        codes, scales = context.saved_tensors
        d_codes, d_scales = quantised(dy.float() * scales.t(), *Fp8Product.gradient)
        return ((d_codes @ codes) * d_scales).to(dy.dtype), None, None


class Fp8Linear(torch.nn.Linear):
    def forward(self, x):
        if not hasattr(self, "codes"):
            self.codes, self.scales = quantised(self.weight.data)
        return Fp8Product.apply(x, self.codes, self.scales)


def int8(weights):
    scales = weights.abs().amax(dim=1, keepdim=True).float()
    return (torch.round(weights.float() * (127 / scales)) * scales / 127).to(weights.dtype)


def fp8(weights):
    codes, scales = quantised(weights)
    return (codes * scales).to(weights.dtype)


def load(way):
    model = AutoModelForCausalLM.from_pretrained(MODEL, dtype=torch.bfloat16, attn_implementation="eager")
    for name, module in model.model.layers.named_modules():
        if not isinstance(module, torch.nn.Linear):
            continue
        if way in ("int8", "fp8"):
            module.weight.data = {"int8": int8, "fp8": fp8}[way](module.weight.data)
        elif way != "bf16":
            module.__class__ = Fp8Linear
    Fp8Product.gradient = (torch.float8_e5m2, 57344) if way == "fp8 products, gradients e5m2" else (torch.float8_e4m3fn, 448)
    torch.manual_seed(0)
    peft = get_peft_model(model, LoraConfig(r=RANK, lora_alpha=2 * RANK, target_modules="all-linear", task_type="CAUSAL_LM"))
    for name, parameter in peft.named_parameters():
        if "lora_" in name:
            parameter.data = parameter.data.float()  # masters of fp32, as ours
    return peft


def facts(seed):
    """Rows of three pairs and a question; pairs of the second half are asked of, but never in training."""
    draw = random.Random(seed)
    pairs = list(itertools.product(NAMES, THINGS))
    draw.shuffle(pairs)
    kept = set(pairs[:len(pairs) // 4])

    def row(asked):
        others = [pair for pair in pairs if pair[0] != asked[0] and pair[1] != asked[1] and pair not in kept]
        told = [asked, *draw.sample(others, 2)]
        draw.shuffle(told)
        return " ".join(f"{name} had a {thing}." for name, thing in told) + f" What did {asked[0]} have? {asked[0]} had a", " " + asked[1] + "."

    learnt = [row(draw.choice([pair for pair in pairs if pair not in kept])) for _ in range(STEPS * ROWS)]
    return learnt, [row(draw.choice(sorted(kept))) for _ in range(200)]


def batch_of(tokenizer, rows):
    ids, labels = [], []
    for question, answer in rows:
        q, a = tokenizer(question)["input_ids"], tokenizer(answer, add_special_tokens=False)["input_ids"]
        ids.append(torch.tensor(q + a))
        labels.append(torch.tensor([-100] * len(q) + a))
    pad = torch.nn.utils.rnn.pad_sequence
    mask = pad([torch.ones(len(one)) for one in ids], batch_first=True)
    return {"input_ids": pad(ids, batch_first=True), "labels": pad(labels, batch_first=True, padding_value=-100), "attention_mask": mask}


def train(way, seed):
    tokenizer = AutoTokenizer.from_pretrained(MODEL)
    learnt, asked = facts(seed)
    model = load(way)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=RATE, weight_decay=0)
    losses = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 20) * (1 - step / STEPS)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model(**batch_of(tokenizer, learnt[step * ROWS:(step + 1) * ROWS])).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    model.eval()
    right, loss = 0, 0
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for first in range(0, len(asked), 50):
            batch = batch_of(tokenizer, asked[first:first + 50])
            out = model(**batch)
            loss += out.loss.item() / (len(asked) / 50)
            wanted, found = batch["labels"][:, 1:], out.logits[:, :-1].argmax(-1)
            right += ((wanted == -100) | (wanted == found)).all(dim=1).sum().item()
    return right / len(asked), loss, losses


def main():
    ways = ("bf16", "int8", "fp8", "fp8 products", "fp8 products, gradients e5m2")
    print(f"{STEPS} steps of {ROWS} rows, rank {RANK}, {SEEDS} seeds; of 200 questions whose pairs were never trained on")
    for way in ways:
        runs = [train(way, seed) for seed in range(SEEDS)]
        right = [100 * run[0] for run in runs]
        print(f"{way}: {statistics.mean(right):.1f} % right ({min(right):.1f} to {max(right):.1f}), loss asked "
              f"{statistics.mean(run[1] for run in runs):.4f}, loss at the end "
              f"{statistics.mean(statistics.mean(run[2][-20:]) for run in runs):.4f}", flush=True)


if __name__ == "__main__":
    main()
