# SPDX-License-Identifier: GPL-3.0-or-later
"""Ours against transformers + PEFT on tiny random models of dense architectures; prints the largest error of each.

usage: parity.py ROUNDPIPE LOGITS_PROBE
"""
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from safetensors.torch import load_file

import hf_trainer
import tiny_models

ROUNDPIPE, PROBE = sys.argv[1:3]
torch.set_num_threads(1)
MICROBATCH, MICROBATCHES, STEPS = 2, 2, 50
ROWS = MICROBATCH * MICROBATCHES
results = []


def report(what, error, tolerance):
    passed = error <= tolerance
    results.append(passed)
    print(f"{'pass' if passed else 'FAIL'}  {what:62s} {error:10.2e}  (at most {tolerance:.2g})", flush=True)


def ours(model, adapter, out, steps, learning_rate, precision="fp32", clip=1.0, devices="cpu", updates="synchronous",
         weights="as-is"):
    command = [ROUNDPIPE, "train", "--model", model, "--data", model / "rows.jsonl", "--out", out,
               "--init-adapter", adapter, "--no-shuffle", "--validation-fraction", "0", "--max-steps", str(steps),
               "--microbatch-size", str(MICROBATCH), "--microbatches", str(MICROBATCHES), "--warmup-ratio", "0",
               "--learning-rate", repr(learning_rate), "--max-grad-norm", str(clip), "--precision", precision,
               "--devices", devices, "--updates", updates, "--weights", weights, "--max-length", "512", "--no-save-trace", "--quiet"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe train failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return [json.loads(line)["loss"] for line in open(out / "metrics.jsonl")]


def first_gradients(out, beta1=0.9):
    """The first moment after one unclipped step is (1 - beta1) times the gradient."""
    moments = load_file(out / "checkpoints" / "last" / "optimizer.safetensors")
    return {name[:-len(".first")]: value.double() / (1 - beta1) for name, value in moments.items()
            if name.endswith(".first")}


def compare_first_step(name, model, adapter, examples, work, precision, loss_tolerance, gradient_tolerance):
    out = work / f"first-{precision}"
    our_loss = ours(model, adapter, out, 1, 1e-4, precision, clip=0)[0]
    dtype = torch.float64 if precision == "fp64" else torch.float32
    reference = hf_trainer.load(model, adapter, dtype)
    with hf_trainer.double_everywhere() if precision == "fp64" else contextlib.nullcontext():
        losses, gradients = hf_trainer.train(reference, examples, ROWS, 1, 1e-4, 0)
    report(f"{name} {precision}: first loss, relative", abs(our_loss - losses[0]) / losses[0], loss_tolerance)
    mine = first_gradients(out)
    assert set(mine) == set(gradients), set(mine) ^ set(gradients)
    worst = max((torch.linalg.norm(mine[key] - gradients[key]) / torch.linalg.norm(gradients[key])).item() for key in mine)
    report(f"{name} {precision}: every gradient, relative norm", worst, gradient_tolerance)


def compare_rounding(name, model, adapter, examples, work):
    """In bf16: how far the gradients of a step, taken as one vector, lie from those in fp64; ours over theirs."""
    ours(model, adapter, work / "first-bf16", 1, 1e-4, "bf16", clip=0)
    reference = hf_trainer.load(model, adapter, torch.float64)
    with hf_trainer.double_everywhere():
        exact = hf_trainer.train(reference, examples, ROWS, 1, 1e-4, 0)[1]
    theirs = hf_trainer.train(hf_trainer.load(model, adapter, torch.bfloat16), examples, ROWS, 1, 1e-4, 0)[1]
    report(f"{name} bf16: gradients' distance to fp64 over theirs",
           hf_trainer.distance(first_gradients(work / "first-bf16"), exact) / hf_trainer.distance(theirs, exact), 1.5)


def compare_curves(name, model, adapter, examples, work, most=3.0):
    """`most`: how many times theirs our rounding may lead away from fp64 where steps are large; None: not asked."""
    def theirs(learning_rate, attention, stale=False, dtype=torch.float32):
        reference = hf_trainer.load(model, adapter, dtype, attention=attention)
        with hf_trainer.double_everywhere() if dtype == torch.float64 else contextlib.nullcontext():
            return hf_trainer.train(reference, examples, ROWS, STEPS, learning_rate, stale=stale)[0]

    def gap(a, b):
        return max(abs(x - y) for x, y in zip(a, b, strict=True))

    our_curve = ours(model, adapter, work / "curve", STEPS, 2e-4)
    report(f"{name} fp32: {STEPS} steps at 2e-4, largest gap", gap(our_curve, theirs(2e-4, "eager")), 1e-5)
    three = ours(model, adapter, work / "curve3", STEPS, 2e-4, devices="cpu:3")
    report(f"{name} fp32: 3 devices against 1, largest gap", gap(our_curve, three), 0.0)
    stale = ours(model, adapter, work / "stale", STEPS, 2e-4, devices="cpu:2", updates="one-step-stale")
    report(f"{name} fp32: {STEPS} stale steps at 2e-4, largest gap", gap(stale, theirs(2e-4, "eager", stale=True)), 1e-5)
    if not gap(stale, our_curve) > 1e-3:
        sys.exit(f"{name}: stale updates make the curve of synchronous ones, so the comparison proves nothing")
    fast = ours(model, adapter, work / "fast", STEPS, 1e-2)
    if most is not None:
        # Such steps multiply what is rounded: how far that leads is told by theirs, in two orders of sums, beside fp64.
        exact = theirs(1e-2, "eager", dtype=torch.float64)
        rounding = max(gap(theirs(1e-2, attention), exact) for attention in ("eager", "sdpa"))
        report(f"{name} fp32: {STEPS} steps at 1e-2, gap to fp64 over theirs", gap(fast, exact) / max(rounding, 1e-7), most)
    if not fast[-1] < 0.7 * fast[0]:
        sys.exit(f"{name}: the loss does not fall ({fast[0]:.3f} to {fast[-1]:.3f}), so the curves prove nothing")


def without_warnings(load):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FutureWarning)  # PEFT's own use of transformers
        return load()


def compare_export(name, model, examples, work):
    """The exported adapter, loaded by PEFT without a warning, gives our logits."""
    adapter = work / "fast" / "adapter"
    ids = examples[0][0]
    request = json.dumps({"ids": ids})
    done = subprocess.run([PROBE, model, adapter], input=request, capture_output=True, text=True, check=True)
    mine = torch.tensor(json.loads(done.stdout), dtype=torch.float64)
    peft = without_warnings(lambda: hf_trainer.load(model, adapter, trainable=False).eval())
    with torch.no_grad():
        theirs = peft(input_ids=torch.tensor([ids])).logits[0].double()
    report(f"{name}: logits of the exported adapter in PEFT", (mine - theirs).abs().max().item(), 1e-4)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in tiny_models.ARCHITECTURES:
            work = pathlib.Path(folder) / name
            model = tiny_models.make_model(name, work / "model")
            hf_trainer.make_adapter(model, work / "adapter", rslora=name == "mistral",
                                    targets=["q_proj", "v_proj", "down_proj"] if name == "qwen2" else "all-linear")
            hf_trainer.make_adapter(model, work / "whole", modules=["embed_tokens", "lm_head", "norm"])
            examples = hf_trainer.encode(model, model / "rows.jsonl")
            for adapter, what, most in ((work / "adapter", name, 3.0), (work / "whole", f"{name}, whole modules", None)):
                runs = work / f"runs-{adapter.name}"
                compare_first_step(what, model, adapter, examples, runs, "fp32", 1e-6, 1e-5)
                compare_first_step(what, model, adapter, examples, runs, "fp64", 1e-12, 1e-9)
                compare_rounding(what, model, adapter, examples, runs)
                compare_curves(what, model, adapter, examples, runs, most)
                compare_export(what, model, examples, runs)
    failed = results.count(False)
    print(f"{len(results) - failed} comparisons passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
