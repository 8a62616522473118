# SPDX-License-Identifier: GPL-3.0-or-later
"""Ours on a GPU against transformers + PEFT on the same GPU, tiny random models of all architectures, or of those named.

usage: gpu_parity.py ROUNDPIPE [ARCHITECTURE ...]

fp32 with TF32 off on both sides. bf16 and fp16: PEFT keeps fp32 adapters and multiplies in fp32, ours rounds adapters to
the 16-bit type at use, so gradients agree to about two roundings of it; the tolerances below say what is accepted. fp16
has a loss scale on both sides, theirs a fixed one.
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
TOLERANCES = {"fp32": (1e-5, 1e-4, 1e-3), "bf16": (1e-2, 5e-2, 5e-2),
              "fp16": (2e-3, 1e-2, 1e-2)}  # loss relative, gradient norm, 50-step curve
failed = 0


def report(what, error, tolerance):
    global failed
    failed += not error <= tolerance
    print(f"{'pass' if error <= tolerance else 'FAIL'}  {what:60s} {error:10.2e}  (at most {tolerance:.0e})", flush=True)


def ours(model, adapter, out, steps, rate, precision, clip, devices="cuda:0"):
    command = [ROUNDPIPE, "train", "--model", model, "--data", model / "rows.jsonl", "--out", out, "--init-adapter", adapter,
               "--no-shuffle", "--validation-fraction", "0", "--max-steps", steps, "--microbatch-size", 2, "--microbatches", 2,
               "--warmup-ratio", 0, "--learning-rate", rate, "--max-grad-norm", clip, "--precision", precision,
               "--devices", devices, "--quiet"]
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
    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]
    scale = 4096 if precision == "fp16" else 1
    loss_tolerance, gradient_tolerance, curve_tolerance = TOLERANCES[precision]
    rows, run = to_first_update(model, adapter, work / f"first-{precision}", precision)
    losses, gradients = hf_trainer.train(hf_trainer.load(model, adapter, dtype, device="cuda"), examples, 4, len(rows), 1e-4, 0,
                                         device="cuda", loss_scale=scale, skipped=skipped_of(rows))
    report(f"{name} {precision}: first loss, relative", abs(rows[0]["loss"] - losses[0]) / losses[0], loss_tolerance)
    moments = load_file(run / "checkpoints" / "last" / "optimizer.safetensors")
    worst = max((torch.linalg.norm(moments[key + ".first"].double() / 0.1 - gradient) / torch.linalg.norm(gradient)).item()
                for key, gradient in gradients.items())
    report(f"{name} {precision}: every LoRA gradient, relative norm", worst, gradient_tolerance)
    curve = ours(model, adapter, work / f"curve-{precision}", 50, 2e-4, precision, 1.0)
    again = ours(model, adapter, work / f"again-{precision}", 50, 2e-4, precision, 1.0)
    theirs, _ = hf_trainer.train(hf_trainer.load(model, adapter, dtype, device="cuda"), examples, 4, 50, 2e-4, device="cuda",
                                 loss_scale=scale, skipped=skipped_of(curve))
    gaps = [abs(row["loss"] - loss) for row, loss in zip(curve, theirs, strict=True)]
    report(f"{name} {precision}: 50 steps at 2e-4, largest gap", max(gaps), curve_tolerance)
    gaps = [abs(one["loss"] - other["loss"]) for one, other in zip(curve, again, strict=True)]
    report(f"{name} {precision}: the same run again, largest gap", max(gaps), 0.0)


with tempfile.TemporaryDirectory() as folder:
    for name in sys.argv[2:] or tiny_models.ARCHITECTURES:
        work = pathlib.Path(folder) / name
        model = tiny_models.make_model(name, work / "model")
        hf_trainer.make_adapter(model, work / "adapter")
        examples = hf_trainer.encode(model, model / "rows.jsonl")
        for precision in TOLERANCES:
            try:
                compare(name, model, work / "adapter", examples, work, precision)
            except RuntimeError as error:
                failed += 1
                print(f"FAIL  {name} {precision}: {error}", flush=True)
sys.exit(1 if failed else 0)
