# SPDX-License-Identifier: GPL-3.0-or-later
"""Full fine-tuning against transformers on tiny random models of all four architectures, tied and untied; prints the
largest error of each comparison.

usage: full_parity.py ROUNDPIPE
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file
from transformers import Trainer

import hf_trainer
import tiny_models

ROUNDPIPE = sys.argv[1]
torch.set_num_threads(1)
MICROBATCH, MICROBATCHES, STEPS, WEIGHT_DECAY = 2, 2, 30, 0.1
ROWS = MICROBATCH * MICROBATCHES
results = []


def report(what, error, tolerance):
    passed = error <= tolerance
    results.append(passed)
    print(f"{'pass' if passed else 'FAIL'}  {what:66s} {error:10.2e}  (at most {tolerance:.0e})", flush=True)


def ours(model, out, steps, learning_rate, clip=1.0, devices="cpu", updates="synchronous", precision="fp32",
         moments="fp32"):
    command = [ROUNDPIPE, "train", "--method", "full", "--model", model, "--data", model / "rows.jsonl", "--out", out,
               "--no-shuffle", "--validation-fraction", "0", "--max-steps", str(steps), "--microbatch-size",
               str(MICROBATCH), "--microbatches", str(MICROBATCHES), "--warmup-ratio", "0", "--learning-rate",
               repr(learning_rate), "--weight-decay", str(WEIGHT_DECAY), "--max-grad-norm", str(clip), "--precision",
               precision, "--devices", devices, "--updates", updates, "--moments", moments, "--max-length", "512",
               "--no-save-trace", "--quiet"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe train failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return [json.loads(line)["loss"] for line in open(out / "metrics.jsonl")]


def load(folder, dtype=torch.float32):
    model = hf_trainer.open_model(folder, dtype=dtype, attn_implementation="eager")
    model.config.use_cache = False
    if dtype == torch.float64:
        hf_trainer.make_rotary_double(model)
    return model


def theirs(model, examples, steps, learning_rate, clip=1.0, stale=False):
    """As transformers' Trainer would: what decays is its choice."""
    decayed = set(Trainer.get_decay_parameter_names(None, model))
    groups = [{"params": [p for n, p in model.named_parameters() if (n in decayed) == decays],
               "weight_decay": WEIGHT_DECAY if decays else 0.0} for decays in (True, False)]
    return hf_trainer.train(model, examples, ROWS, steps, learning_rate, clip, stale=stale, groups=groups)


def says_its_type(folder):
    """config.json of a result: as the run computed, whatever the model's own said."""
    config = json.load(open(folder / "config.json"))
    return config.get("dtype", config.get("torch_dtype"))


def gap(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def relative(a, b):
    return (torch.linalg.norm(a.double() - b.double()) / torch.linalg.norm(b.double())).item()


def compare_first_step(name, model, examples, work):
    out = work / "first"
    our_loss = ours(model, out, 1, 1e-4, clip=0, precision="fp64")[0]
    reference = load(model, torch.float64)
    with hf_trainer.double_everywhere():
        losses, gradients = theirs(reference, examples, 1, 1e-4, clip=0)
    report(f"{name} fp64: first loss, relative", abs(our_loss - losses[0]) / losses[0], 1e-12)
    moments = load_file(out / "checkpoints" / "last" / "optimizer.safetensors")
    mine = {key[:-len(".first")]: value.double() / 0.1 for key, value in moments.items() if key.endswith(".first")}
    assert set(mine) == set(gradients), set(mine) ^ set(gradients)
    report(f"{name} fp64: gradient of every tensor, relative norm",
           max(relative(mine[key], gradients[key]) for key in mine), 1e-9)


def compare_curves(name, model, examples, work):
    trained = load(model)
    expected = theirs(trained, examples, STEPS, 1e-3)[0]
    mine = ours(model, work / "curve", STEPS, 1e-3)
    report(f"{name} fp32: {STEPS} steps at 1e-3, largest gap", gap(mine, expected), 1e-5)
    if not mine[-1] < 0.7 * mine[0]:
        sys.exit(f"{name}: the loss does not fall ({mine[0]:.3f} to {mine[-1]:.3f}), so the curves prove nothing")
    three = ours(model, work / "curve3", STEPS, 1e-3, devices="cpu:3")
    report(f"{name} fp32: 3 devices against 1, largest gap", gap(mine, three), 0.0)
    rounded = ours(model, work / "rounded", STEPS, 1e-3, moments="bf16")
    report(f"{name} fp32: moments in bf16 against ones in fp32, of the fall", gap(mine, rounded) / (mine[0] - mine[-1]),
           2e-2)
    stale = ours(model, work / "stale", STEPS, 1e-3, devices="cpu:2", updates="one-step-stale")
    report(f"{name} fp32: {STEPS} stale steps at 1e-3, largest gap",
           gap(stale, theirs(load(model), examples, STEPS, 1e-3, stale=True)[0]), 1e-5)
    result = load(work / "curve" / "model")
    if says_its_type(work / "curve" / "model") != "float32":
        sys.exit(f"config.json of the result says {says_its_type(work / 'curve' / 'model')}, its weights are fp32")
    ids = torch.tensor([examples[0][0]])
    with torch.no_grad():
        report(f"{name}: logits of the result against the model that transformers trained",
               (result(input_ids=ids).logits - trained.eval()(input_ids=ids).logits).abs().max().item(), 1e-3)
    start = load(model).state_dict()
    moved = trained.state_dict()
    report(f"{name}: how far weights went, relative norm of the difference to theirs",
           max(relative(value - start[key], moved[key] - start[key]) for key, value in result.state_dict().items()), 1e-2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for architecture in tiny_models.ARCHITECTURES:
            for tied in (False, True):
                name = f"{architecture} {'tied' if tied else 'untied'}"
                work = pathlib.Path(folder) / name.replace(" ", "-")
                model = tiny_models.make_model(architecture, work / "model", tied=tied)
                examples = hf_trainer.encode(model, model / "rows.jsonl")
                compare_first_step(name, model, examples, work)
                compare_curves(name, model, examples, work)
    failed = results.count(False)
    print(f"{len(results) - failed} comparisons passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
