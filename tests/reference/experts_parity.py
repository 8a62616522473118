# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random mixtures of experts against transformers + PEFT: first loss and gradients of attention, of experts and of all
weights, curves, the exported adapter, greedy answers.

transformers holds a block's experts stacked, where PEFT finds no linears: theirs is a model whose experts are linears
(hf_trainer.LinearExperts), which is first shown to be the stacked one.

usage: experts_parity.py ROUNDPIPE LOGITS_PROBE
"""
import pathlib
import subprocess
import sys
import tempfile

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

import answers
import full_parity
import hf_trainer
import parity
import tiny_models

answers.DEVICE = "cpu"
ATTENTION = ["q_proj", "k_proj", "v_proj", "o_proj"]


def adapters_of(name):
    experts = ["w1", "w3", "w2"] if name.startswith("mixtral") else ["gate_proj", "up_proj", "down_proj"]
    shared = ["shared_expert_gate"] if name.startswith("qwen2_moe") else []
    return {"attention": ATTENTION, "experts": experts, "all": ATTENTION + experts + shared}


def adapters_on_stack(name):
    """What PEFT (0.21.2) puts onto transformers' stack: of Qwen2-MoE all but routed experts, as modules of its shared expert
    already have their names."""
    if name.startswith("qwen2_moe"):
        return ATTENTION + [f"shared_expert.{part}" for part in ("gate_proj", "up_proj", "down_proj")] + ["shared_expert_gate"]
    return adapters_of(name)["all"]


def compare_linears(name, model, examples):
    """Forward and the gradient of what goes in."""
    ids, attention, _ = hf_trainer.batch_of(examples[:4])
    found = []
    for opened in (AutoModelForCausalLM.from_pretrained(model, experts_implementation="eager"), hf_trainer.open_model(model)):
        embedded = opened.model.embed_tokens(ids).detach().requires_grad_()
        logits = opened(inputs_embeds=embedded, attention_mask=attention).logits
        (logits * attention[..., None]).square().sum().backward()
        found.append((logits.detach() * attention[..., None], embedded.grad))
    for what, stacked, linear in zip(("logits", "input gradient"), *found, strict=True):
        parity.report(f"{name}: linears against transformers' stack, {what}", ((stacked - linear).norm() / stacked.norm()).item(), 1e-6)


def compare_stack(name, work):
    """Our adapter of experts on transformers' stacked ones, where PEFT puts it itself. Of dense blocks between sparse ones it
    (0.21.2) leaves the adapters out, so the model has none."""
    model = tiny_models.make_model(name, work / "model")
    examples = hf_trainer.encode(model, model / "rows.jsonl")
    hf_trainer.make_adapter(model, work / "adapter", targets=adapters_on_stack(name))
    parity.ours(model, work / "adapter", work / "run", 5, 1e-3)
    stacked = AutoModelForCausalLM.from_pretrained(model, experts_implementation="eager")
    ids = torch.tensor([examples[0][0]])
    with torch.no_grad():
        theirs = PeftModel.from_pretrained(stacked, work / "run" / "adapter").eval()(input_ids=ids).logits
        linears = hf_trainer.load(model, work / "run" / "adapter", trainable=False).eval()(input_ids=ids).logits
        base = AutoModelForCausalLM.from_pretrained(model)(input_ids=ids).logits
    parity.report(f"{name}: our adapter on PEFT's stack", (theirs - linears).abs().max().item(), 1e-4)
    if not (theirs - base).abs().max() > 1e-2:
        sys.exit(f"{name}: the adapter changes nothing, so the comparison proves nothing")


def compare_exact_curve(name, model, adapter, examples, work):
    """In fp64 even large steps lead nowhere else, and no choice of an expert hangs on what is rounded."""
    reference = hf_trainer.load(model, adapter, torch.float64)
    with hf_trainer.double_everywhere():
        theirs = hf_trainer.train(reference, examples, parity.ROWS, parity.STEPS, 1e-2)[0]
    ours = parity.ours(model, adapter, work / "exact", parity.STEPS, 1e-2, "fp64")
    parity.report(f"{name} fp64: {parity.STEPS} steps at 1e-2, largest gap", max(abs(a - b) for a, b in zip(ours, theirs, strict=True)), 1e-9)


def compare_merged(name, model, adapter, out):
    """The merged model, as transformers stacks its experts, gives the adapter's logits."""
    done = subprocess.run([parity.ROUNDPIPE, "export", "--model", model, "--adapter", adapter, "--to", "merged", "--out", out,
                           "--device", "cpu", "--proof-tokens", "8"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe export failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    ids = torch.arange(3, 40)[None]
    with torch.no_grad():
        ours = AutoModelForCausalLM.from_pretrained(out, experts_implementation="eager")(input_ids=ids).logits
        theirs = hf_trainer.load(model, adapter, trainable=False).eval()(input_ids=ids).logits
    parity.report(f"{name}: logits of the merged model", (ours - theirs).abs().max().item(), 1e-4)


def compare_model(name, work):
    model = tiny_models.make_model(name, work / "model")
    examples = hf_trainer.encode(model, model / "rows.jsonl")
    compare_linears(name, model, examples)
    for kind, targets in adapters_of(name).items():
        what, runs = f"{name}, {kind}", work / f"runs-{kind}"
        hf_trainer.make_adapter(model, work / kind, targets=targets, rslora=kind == "experts")
        parity.compare_first_step(what, model, work / kind, examples, runs, "fp32", 1e-6, 1e-5)
        parity.compare_first_step(what, model, work / kind, examples, runs, "fp64", 1e-12, 1e-9)
        if kind != "attention":
            parity.compare_curves(what, model, work / kind, examples, runs, most=None)  # choices of experts flip, too: in fp64
            compare_exact_curve(what, model, work / kind, examples, runs)
            parity.compare_export(what, model, examples, runs)
            compare_merged(what, model, runs / "fast" / "adapter", work / f"merged-{kind}")
    full_parity.compare_first_step(f"{name}, all weights", model, examples, work)
    tokenizer = AutoTokenizer.from_pretrained(model)
    answers.compare(name, model, hf_trainer.open_model(model).eval(), tokenizer)
    adapted = hf_trainer.load(model, work / "all", trainable=False).eval()
    answers.compare(f"{name}, adapter", model, adapted, tokenizer, "--adapter", f"all={work / 'all'}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("qwen3_moe_sparse", "mixtral", "qwen2_moe_sparse"):
            compare_stack(name, pathlib.Path(folder) / f"stack-{name}")
        for name in ("qwen3_moe", "qwen3_moe_plain", "mixtral", "qwen2_moe"):
            compare_model(name, pathlib.Path(folder) / name)
    passed = parity.results + full_parity.results + answers.results
    print(f"{passed.count(True)} comparisons passed, {passed.count(False)} failed")
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
