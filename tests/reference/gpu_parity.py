# SPDX-License-Identifier: GPL-3.0-or-later
"""Ours on a GPU against transformers + PEFT on the same GPU, tiny random models of all architectures, or of those named.

usage: gpu_parity.py ROUNDPIPE [ARCHITECTURE ...]

fp32 with TF32 off on both sides. bf16 and fp16: PEFT keeps fp32 adapters and multiplies in fp32, ours rounds adapters to
the 16-bit type at use, so gradients agree to about two roundings of it; the tolerances below say what is accepted, and in no 16-bit type may ours lie
further from fp64 than 1.5 times as far as theirs. fp16 has a loss scale on both sides, theirs a fixed one. In fp32 one step
stale and with all weights trained, too. gpt_oss, if named, with adapters on its stacked experts: in 16 bits rounding
chooses other experts, ours and theirs for other tokens, so that there the distance to fp64 of several models is compared.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file

import hf_trainer
import tiny_models

ROUNDPIPE = sys.argv[1]
TOLERANCES = {"fp32": (1e-5, 1e-4, 1e-5), "bf16": (1e-2, 5e-2, 5e-2),
              "fp16": (2e-3, 1e-2, 1e-2)}  # loss relative, gradient norm, 50-step curve
TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
failed = 0


def report(what, error, tolerance):
    global failed
    failed += not error <= tolerance
    print(f"{'pass' if error <= tolerance else 'FAIL'}  {what:60s} {error:10.2e}  (at most {tolerance:.2g})", flush=True)


def ours(model, adapter, out, steps, rate, precision, clip, devices="cuda:0", updates="synchronous"):
    """`adapter`: where to begin; None trains all weights."""
    method = ["--init-adapter", adapter] if adapter else ["--method", "full"]
    command = [ROUNDPIPE, "train", "--model", model, "--data", model / "rows.jsonl", "--out", out, *method,
               "--no-shuffle", "--validation-fraction", "0", "--max-steps", steps, "--microbatch-size", 2, "--microbatches", 2,
               "--warmup-ratio", 0, "--learning-rate", rate, "--max-grad-norm", clip, "--precision", precision,
               "--devices", devices, "--updates", updates, "--quiet"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"roundpipe train failed ({done.returncode}): {done.stdout}{done.stderr}")
    return [json.loads(line) for line in open(out / "metrics.jsonl")]


def skipped_of(rows):
    """Numbers of the steps, from 0, whose gradients were too large for fp16 with the scale that a run begins with."""
    return {number for number, row in enumerate(rows) if row.get("skipped")}


def to_first_update(model, adapter, out, precision):
    """A run that ends with the first step that is not skipped, and its folder."""
    for steps in range(1, 9):
        rows = ours(model, adapter, out / str(steps), steps, 1e-4, precision, 0)
        if not rows[-1].get("skipped"):
            return rows, out / str(steps)
    raise RuntimeError("the first eight steps were skipped")


def compare(name, model, adapter, examples, work, precision):
    dtype = TYPES[precision]
    scale = 4096 if precision == "fp16" else 1
    loss_tolerance, gradient_tolerance, curve_tolerance = TOLERANCES[precision]
    rows, run = to_first_update(model, adapter, work / f"first-{precision}", precision)
    losses, gradients = hf_trainer.train(hf_trainer.load(model, adapter, dtype, device="cuda"), examples, 4, len(rows), 1e-4, 0,
                                         device="cuda", loss_scale=scale, skipped=skipped_of(rows))
    report(f"{name} {precision}: first loss, relative", abs(rows[0]["loss"] - losses[0]) / losses[0], loss_tolerance)
    mine = gradients_of(run, gradients)
    worst = max((torch.linalg.norm(mine[key] - gradient) / torch.linalg.norm(gradient)).item()
                for key, gradient in gradients.items())
    report(f"{name} {precision}: every LoRA gradient, relative norm", worst, gradient_tolerance)
    if precision != "fp32":
        exact = exact_gradients(model, adapter, examples, rows)
        report(f"{name} {precision}: gradients' distance to fp64 over theirs",
               hf_trainer.distance(mine, exact) / hf_trainer.distance(gradients, exact), 1.5)
    curve = ours(model, adapter, work / f"curve-{precision}", 50, 2e-4, precision, 1.0)
    again = ours(model, adapter, work / f"again-{precision}", 50, 2e-4, precision, 1.0)
    theirs, _ = hf_trainer.train(hf_trainer.load(model, adapter, dtype, device="cuda"), examples, 4, 50, 2e-4, device="cuda",
                                 loss_scale=scale, skipped=skipped_of(curve))
    gaps = [abs(row["loss"] - loss) for row, loss in zip(curve, theirs, strict=True)]
    report(f"{name} {precision}: 50 steps at 2e-4, largest gap", max(gaps), curve_tolerance)
    gaps = [abs(one["loss"] - other["loss"]) for one, other in zip(curve, again, strict=True)]
    report(f"{name} {precision}: the same run again, largest gap", max(gaps), 0.0)


def compare_rounding(name, folder, precision, of_models=6):
    """The root of the mean square distance to fp64 of a step's gradients, ours over theirs."""
    scale = 4096 if precision == "fp16" else 1
    mine = theirs = 0
    for seed in range(of_models):
        work = folder / f"{precision}-{seed}"
        model, adapter = with_adapter(name, work, seed)
        examples = hf_trainer.encode(model, model / "rows.jsonl")
        rows, run = to_first_update(model, adapter, work, precision)
        exact = exact_gradients(model, adapter, examples, rows)
        reference = hf_trainer.load(model, adapter, TYPES[precision], device="cuda")
        gradients = hf_trainer.train(reference, examples, 4, len(rows), 1e-4, 0, device="cuda", loss_scale=scale,
                                     skipped=skipped_of(rows))[1]
        mine += hf_trainer.distance(gradients_of(run, gradients), exact) ** 2
        theirs += hf_trainer.distance(gradients, exact) ** 2
    report(f"{name} {precision}: gradients' distance to fp64 over theirs, {of_models} models", (mine / theirs) ** 0.5, 1.5)


def gradients_of(run, names):
    moments = load_file(run / "checkpoints" / "last" / "optimizer.safetensors")
    return {name: moments[name + ".first"].double() / 0.1 for name in names}


def with_adapter(name, work, seed=0):
    model, adapter = tiny_models.make_model(name, work / "model", seed=seed), work / "adapter"
    stacks = ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"] if name in tiny_models.STACKED else None
    hf_trainer.make_adapter(model, adapter, parameters=stacks, seed=seed + 1)
    return model, adapter


def exact_gradients(model, adapter, examples, rows):
    reference = hf_trainer.load(model, adapter, torch.float64)
    with hf_trainer.double_everywhere():
        return hf_trainer.train(reference, examples, 4, len(rows), 1e-4, 0, skipped=skipped_of(rows))[1]


def compare_other_ways(name, model, adapter, examples, work):
    """In fp32: one step stale, and all weights where they can be trained."""
    for what, start, updates in (("one step stale", adapter, "one-step-stale"), ("all weights", None, "synchronous"),
                                 ("all weights, one step stale", None, "one-step-stale")):
        if start is None and name in tiny_models.STACKED:
            continue
        mine = ours(model, start, work / what, 50, 2e-4, "fp32", 1.0, updates=updates)
        reference = hf_trainer.load(model, start, device="cuda") if start else hf_trainer.open_model(model, dtype=torch.float32, attn_implementation="eager").to("cuda")
        theirs, _ = hf_trainer.train(reference, examples, 4, 50, 2e-4, device="cuda", stale=updates != "synchronous")
        report(f"{name} fp32, {what}: 50 steps at 2e-4, largest gap",
               max(abs(row["loss"] - loss) for row, loss in zip(mine, theirs, strict=True)), 1e-5)


with tempfile.TemporaryDirectory() as folder:
    for name in sys.argv[2:] or tiny_models.ARCHITECTURES:
        work = pathlib.Path(folder) / name
        model, adapter = with_adapter(name, work)
        examples = hf_trainer.encode(model, model / "rows.jsonl")
        for part in (*TOLERANCES, "other ways"):
            try:
                if part == "other ways":
                    compare_other_ways(name, model, adapter, examples, work)
                elif part != "fp32" and name in tiny_models.STACKED:
                    compare_rounding(name, work, part)
                else:
                    compare(name, model, adapter, examples, work, part)
            except RuntimeError as error:
                failed += 1
                print(f"FAIL  {name} {part}: {error}", flush=True)
sys.exit(1 if failed else 0)
