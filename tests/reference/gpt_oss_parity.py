# SPDX-License-Identifier: GPL-3.0-or-later
"""A tiny random gpt-oss against transformers + PEFT: first loss and gradients, curves, the exported adapter, greedy answers,
merged models, with adapters of attention and of stacked experts (PEFT's target_parameters); and experts in MXFP4 as
published, whose values are transformers' own to the last bit.

usage: gpt_oss_parity.py ROUNDPIPE LOGITS_PROBE
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import torch
from peft import PeftModel
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

import answers
import experts_parity
import hf_trainer
import parity
import tiny_models

answers.DEVICE = "cpu"
STACKS = ["mlp.experts.gate_up_proj", "mlp.experts.down_proj"]
KINDS = {
    "attention": {},
    "whole modules": dict(modules=["embed_tokens", "lm_head", "norm"]),
    "gate and up": dict(targets=[], parameters=STACKS[:1], rslora=True),
    "down": dict(targets=["q_proj"], parameters=["down_proj"]),
    "all": dict(parameters=STACKS),
}


def packed_folder(model, folder):
    """`model` with experts of random codes and scales, as gpt-oss is published, and beside it what transformers unpacks."""
    shutil.copytree(model, folder)
    unpacked = folder.parent / f"{folder.name}-unpacked"
    shutil.copytree(model, unpacked)
    tensors = load_file(model / "model.safetensors")
    tensors = {name: tensor.bfloat16() for name, tensor in tensors.items()}
    whole = dict(tensors)
    torch.manual_seed(5)
    for name in [name for name in tensors if name.endswith(("gate_up_proj", "down_proj"))]:
        experts, width, out = tensors.pop(name).shape
        blocks = torch.randint(0, 256, (experts, out, width // 32, 16), dtype=torch.uint8)
        scales = torch.randint(119, 124, (experts, out, width // 32), dtype=torch.uint8)
        scales[0, 0, 0], scales[0, 1, 0] = 0, 100  # next to nothing
        tensors[f"{name}_blocks"], tensors[f"{name}_scales"] = blocks, scales
        whole[name] = convert_moe_packed_tensors(blocks, scales, dtype=torch.bfloat16).contiguous()
        assert whole[name].shape == (experts, width, out)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    save_file(whole, unpacked / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((model / "config.json").read_text()) | {"dtype": "bfloat16"}
    (unpacked / "config.json").write_text(json.dumps(config))
    config["quantization_config"] = {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]}
    (folder / "config.json").write_text(json.dumps(config))
    return folder, unpacked


def logits(model, ids):
    with torch.no_grad():
        return model.eval()(input_ids=ids).logits


def merged(model, adapter, out, *proof):
    done = subprocess.run([parity.ROUNDPIPE, "export", "--model", model, "--adapter", adapter, "--to", "merged", "--out", out, *proof],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe export failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return out


def compare_merged(what, model, adapter, out, tolerance):
    """Merged by us and opened by transformers, against PEFT's own merge."""
    ids = torch.arange(3, 40)[None]
    ours = hf_trainer.open_model(merged(model, adapter, out, "--device", "cpu", "--proof-tokens", "8"), dtype=torch.float32)
    theirs = PeftModel.from_pretrained(hf_trainer.open_model(model, dtype=torch.float32), adapter)
    base = logits(hf_trainer.open_model(model, dtype=torch.float32), ids)
    expected = logits(theirs, ids)
    parity.report(f"{what}: logits of the merged model", (logits(ours, ids) - expected).abs().max().item(), tolerance)
    if not (expected - base).abs().max() > 20 * tolerance:
        sys.exit(f"{what}: the adapter changes nothing, so the comparison proves nothing")


def compare_model(name, work):
    model = tiny_models.make_model(name, work / "model")
    examples = hf_trainer.encode(model, model / "rows.jsonl")
    for kind, how in KINDS.items():
        what, adapter, runs = f"{name}, {kind}", work / f"adapter-{kind}", work / f"runs-{kind}"
        hf_trainer.make_adapter(model, adapter, **how)
        parity.compare_first_step(what, model, adapter, examples, runs, "fp32", 1e-6, 1e-5)
        parity.compare_first_step(what, model, adapter, examples, runs, "fp64", 1e-12, 1e-9)
        parity.compare_curves(what, model, adapter, examples, runs, most=None)  # of one order of sums, in which choices of experts flip
        experts_parity.compare_exact_curve(what, model, adapter, examples, runs)
        parity.compare_export(what, model, examples, runs)
    tokenizer = AutoTokenizer.from_pretrained(model)
    answers.compare(name, model, hf_trainer.open_model(model).eval(), tokenizer)
    for kind in ("attention", "all"):
        adapter = work / f"adapter-{kind}"
        adapted = hf_trainer.load(model, adapter, trainable=False).eval()
        answers.compare(f"{name}, adapter of {kind}", model, adapted, tokenizer, "--adapter", f"all={adapter}")
        compare_merged(f"{name}, {kind}", model, adapter, work / f"merged-{kind}", 1e-4)
    return model, examples


def compare_packed(name, packed, unpacked, adapter, examples, work):
    work.mkdir()

    def losses(folder, out, **how):
        return parity.ours(folder, adapter, work / out, 20, 2e-4, **how)

    def gap(a, b):
        return max(abs(x - y) for x, y in zip(a, b, strict=True))

    first, gradients = hf_trainer.train(hf_trainer.load(unpacked, adapter), examples, parity.ROWS, 1, 1e-4, 0)
    run = parity.ours(packed, adapter, work / "first", 1, 1e-4, clip=0)
    parity.report(f"{name} in mxfp4: first loss, relative", abs(run[0] - first[0]) / first[0], 1e-6)
    mine = parity.first_gradients(work / "first")
    worst = max((torch.linalg.norm(mine[key] - gradients[key]) / torch.linalg.norm(gradients[key])).item() for key in mine)
    parity.report(f"{name} in mxfp4: every gradient, relative norm", worst, 1e-5)
    whole = losses(unpacked, "whole")
    parity.report(f"{name} in mxfp4: losses against those of transformers' values, gap", gap(losses(packed, "packed"), whole), 0.0)
    for weights in ("mxfp4", "nf4", "int8"):
        kept, same = losses(packed, weights, weights=weights), losses(unpacked, f"{weights}-whole", weights=weights)
        parity.report(f"{name} in mxfp4, kept in {weights}: the same", gap(kept, same), 0.0)
        if weights == "mxfp4":  # experts alone are packed, in which nothing is lost
            parity.report(f"{name} in mxfp4, kept so: losses against those of transformers' values, gap", gap(kept, whole), 0.0)
        elif not gap(kept, whole) > 1e-4:
            sys.exit(f"{name} in {weights}: the curve is that of the weights as they are, so the comparison proves nothing")
    half = losses(unpacked, "half", precision="bf16")
    parity.report(f"{name} in mxfp4: the same in bf16", gap(losses(packed, "packed-half", precision="bf16"), half), 0.0)
    compare_merged_packed(f"{name} in mxfp4", packed, unpacked, work / "packed" / "adapter", work)


def compare_merged_packed(what, packed, unpacked, adapter, work):
    """Experts that no adapter changes are copied as they are, all else is merged as into what transformers unpacks; and it
    opens both."""
    (adapter / "base_model.json").unlink()  # which says that it is not for the unpacked one
    # Without the proof: in bf16 a choice of random experts flips.
    one, other = merged(packed, adapter, work / "merged-packed", "--no-proof"), merged(unpacked, adapter, work / "merged-unpacked", "--no-proof")
    before, after, whole = (load_file(folder / "model.safetensors") for folder in (packed, one, other))
    changed = any(".experts." in name for name in load_file(adapter / "adapter_model.safetensors"))
    assert set(after) == set(whole if changed else before)
    differ = sum(not torch.equal(after[key], whole[key] if changed or ".experts." not in key else before[key]) for key in after)
    parity.report(f"{what}: tensors of the merged model that differ", differ, 0)
    ids = torch.arange(3, 40)[None]
    opened = [logits(hf_trainer.open_model(folder, dtype=torch.bfloat16), ids) for folder in (one, other)]
    parity.report(f"{what}: logits of the merged model against the unpacked one's", (opened[0] - opened[1]).abs().max().item(), 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        model, examples = compare_model("gpt_oss", work)
        packed, unpacked = packed_folder(model, work / "model-packed")
        for kind in ("attention", "all"):
            compare_packed(f"gpt_oss, {kind},", packed, unpacked, work / f"adapter-{kind}", examples, work / f"packed-{kind}")
    passed = parity.results + answers.results
    print(f"{passed.count(True)} comparisons passed, {passed.count(False)} failed")
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
