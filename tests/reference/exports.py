# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports against PEFT, transformers and the gguf package, on tiny random models of all four architectures.

usage: exports.py ROUNDPIPE
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import gguf
import numpy
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

import tiny_models
from gguf_tensors import gguf_names, values_of

ROUNDPIPE = sys.argv[1]
torch.set_num_threads(1)
results = []
PROOF_FAILED = 11
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
VARIANTS = {
    "plain": dict(r=8, lora_alpha=16, target_modules=TARGETS),
    "rslora": dict(r=6, lora_alpha=5, use_rslora=True, target_modules=["q_proj", "v_proj", "down_proj"]),
    "patterns": dict(r=8, lora_alpha=16, rank_pattern={"q_proj": 4, "layers.1.mlp.up_proj": 2},
                     alpha_pattern={"down_proj": 40, "layers.0.self_attn.v_proj": 3}, target_modules=TARGETS),
    "whole": dict(r=4, lora_alpha=8, target_modules=["q_proj"], modules_to_save=["norm"]),
}


def check(what, passed, figure=""):
    results.append(bool(passed))
    print(f"{'pass' if passed else 'FAIL'}  {what:70s} {figure}", flush=True)


def roundpipe(*arguments):
    done = subprocess.run([ROUNDPIPE, "export", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, PROOF_FAILED):
        sys.exit(f"roundpipe export {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def make_adapter(model_folder, folder, dtype, settings):
    model = AutoModelForCausalLM.from_pretrained(model_folder, dtype=dtype)
    torch.manual_seed(5)
    settings = settings | {"target_modules": tiny_models.modules_of(model, settings["target_modules"])}
    model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **settings))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, 0.05)
            elif "modules_to_save" in name:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    model.save_pretrained(folder)
    return folder


def merged_by_peft(model_folder, adapter, dtype):
    model = AutoModelForCausalLM.from_pretrained(model_folder, dtype=dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        return PeftModel.from_pretrained(model, adapter).merge_and_unload()


def tensors_of(folder):
    """All shards of a folder."""
    return {name: tensor for file in sorted(folder.glob("*.safetensors")) for name, tensor in load_file(file).items()}


def logits_of(model, ids):
    with torch.no_grad():
        return model.float()(torch.tensor([ids])).logits[0]


def compare_merge(name, model, adapter, dtype, out):
    printed = json.loads(roundpipe("--model", model, "--adapter", adapter, "--to", "merged", "--out", out, "--json", "--device",
                                   "cpu", "--proof-tokens", "8").stdout)
    reference = merged_by_peft(model, adapter, dtype)
    theirs, ours = reference.state_dict(), tensors_of(out)
    differing, elements, worst = 0, 0, 0.0
    for key, tensor in ours.items():
        assert tensor.dtype == theirs[key].dtype == dtype, (key, tensor.dtype, theirs[key].dtype)
        differing += int((tensor != theirs[key]).sum())
        elements += tensor.numel()
        worst = max(worst, ((tensor.float() - theirs[key].float()).abs() / (theirs[key].float().abs() + 1e-3)).max().item())
    bound = 2e-6 if dtype == torch.float32 else 2 ** -7  # one step of the type
    check(f"{name}: merged weights, largest relative difference", worst <= bound, f"{worst:.1e}; {differing} of {elements} differ")
    loaded = AutoModelForCausalLM.from_pretrained(out, dtype=dtype)
    ids = list(range(3, 40))
    gap = (logits_of(loaded, ids) - logits_of(reference, ids)).abs().max().item()
    check(f"{name}: transformers loads it, largest gap of logits", gap <= (1e-4 if dtype == torch.float32 else 0.05), f"{gap:.1e}")
    check(f"{name}: proof", printed["proof"]["passed"], json.dumps(printed["proof"]))


def order_of_llama(tensor, heads):
    """Rows of q or k as llama.cpp has them: pairs that are turned together side by side."""
    return tensor.reshape(heads, 2, tensor.shape[0] // heads // 2, *tensor.shape[1:]).swapaxes(1, 2).reshape(tensor.shape)


def expected_of(reader, folder):
    """name -> the values that the file should have, from the folder's weights."""
    config = json.load(open(folder / "config.json"))
    weights, names = tensors_of(folder), gguf_names(config)
    expected = {}
    for tensor in reader.tensors:
        if tensor.name.startswith("rope_"):  # factors of frequencies
            continue
        values = weights[names[tensor.name]].float().numpy()
        if config["model_type"] in ("llama", "mistral", "granite", "smollm3") and (".attn_q." in tensor.name or ".attn_k." in tensor.name):
            heads = config["num_attention_heads" if ".attn_q." in tensor.name else "num_key_value_heads"]
            values = order_of_llama(values, heads)
        if config["model_type"] == "gemma3_text" and tensor.name.endswith("norm.weight"):
            values = values + 1  # transformers adds it on the way
        expected[tensor.name] = values
    return expected


def compare_gguf(name, model, out):
    kinds = {"f32": 0.0, "f16": 1e-3, "bf16": 8e-3, "q8_0": 8e-3, "q6_k": 0.03, "q5_k_m": 0.05, "q4_k_m": 0.09}
    for kind, tolerance in kinds.items():
        printed = json.loads(roundpipe("--model", model, "--to", "gguf", "--type", kind, "--out", out / kind, "--json", "--device",
                                       "cpu", "--proof-tokens", "8").stdout)
        reader = gguf.GGUFReader(out / kind / "model.gguf")
        expected, worst = expected_of(reader, model), 0.0
        for tensor in reader.tensors:
            if tensor.name not in expected:
                continue
            found, wanted = values_of(tensor), expected[tensor.name]
            assert found.shape == wanted.shape, (tensor.name, found.shape, wanted.shape)
            worst = max(worst, float(numpy.linalg.norm(found - wanted) / numpy.linalg.norm(wanted)))
            if tensor.tensor_type == gguf.GGMLQuantizationType.Q8_0:
                theirs = gguf.quants.quantize(wanted, gguf.GGMLQuantizationType.Q8_0)
                assert numpy.array_equal(theirs, tensor.data), f"{tensor.name}: other blocks of Q8_0 than ggml's"
        check(f"{name} {kind}: every tensor as gguf reads it, relative error", worst <= tolerance, f"{worst:.1e}")
        if kind in ("q5_k_m", "q4_k_m"):  # random weights: no model that was trained loses so much by them
            print(f"      {name} {kind}: proof {json.dumps(printed['proof'])}")
        else:
            check(f"{name} {kind}: proof", printed["proof"]["passed"], json.dumps(printed["proof"]))
    fields = {key: field.contents() for key, field in reader.fields.items()}
    config = json.load(open(model / "config.json"))
    arch = {"mistral": "llama", "gemma3_text": "gemma3"}.get(config["model_type"], config["model_type"])
    tokenizer = json.load(open(model / "tokenizer.json"))
    check(f"{name}: metadata",
          fields["general.architecture"] == arch and fields[f"{arch}.block_count"] == config["num_hidden_layers"]
          and fields[f"{arch}.attention.head_count_kv"] == config["num_key_value_heads"]
          and fields["tokenizer.ggml.tokens"][: len(tokenizer["model"]["vocab"])]
          == sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
          and len(fields["tokenizer.ggml.merges"]) == len(tokenizer["model"]["merges"])
          and fields["tokenizer.ggml.token_type"][0] == gguf.TokenType.CONTROL
          and fields["tokenizer.ggml.pre"] == "gpt-2" and "generation" not in fields["tokenizer.chat_template"].replace("generation_prompt", ""))


def compare_gguf_adapter(name, model, adapter, out):
    """alpha / rank * B A of the file is what PEFT adds."""
    printed = json.loads(roundpipe("--model", model, "--adapter", adapter, "--to", "gguf-adapter", "--out", out, "--json",
                                   "--device", "cpu", "--proof-tokens", "8").stdout)
    reader = gguf.GGUFReader(out / "adapter.gguf")
    alpha = reader.fields["adapter.lora.alpha"].contents()
    config = json.load(open(model / "config.json"))
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).state_dict()
    merged = merged_by_peft(model, adapter, torch.float32).state_dict()
    pairs = {tensor.name: values_of(tensor) for tensor in reader.tensors}
    names, worst, count = gguf_names(config), 0.0, 0
    for key in [key for key in pairs if key.endswith(".lora_a")]:
        target = key[: -len(".lora_a")]
        a, b = pairs[key], pairs[target + ".lora_b"]
        delta = alpha / a.shape[0] * b @ a
        wanted = (merged[names[target]] - base[names[target]]).numpy()
        if config["model_type"] in ("llama", "mistral", "granite", "smollm3") and (".attn_q." in target or ".attn_k." in target):
            wanted = order_of_llama(wanted, config["num_attention_heads" if ".attn_q." in target else "num_key_value_heads"])
        worst = max(worst, float(numpy.abs(delta - wanted).max()))
        count += 1
    check(f"{name}: what the GGUF adapter adds, largest gap of {count} layers", count > 0 and worst <= 1e-5, f"{worst:.1e}")
    check(f"{name}: proof", printed["proof"]["passed"], json.dumps(printed["proof"]))


def compare_combined(name, model, adapters, out):
    """Two adapters with weights: as one adapter that PEFT loads, and in the merge."""
    both = [part for folder, weight in adapters for part in ("--adapter", f"{folder},weight={weight}")]
    roundpipe("--model", model, *both, "--to", "adapter", "--out", out / "one", "--no-proof")
    roundpipe("--model", model, *both, "--to", "merged", "--out", out / "merged", "--device", "cpu", "--proof-tokens", "8")
    wanted = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).state_dict()
    start = {key: value.clone() for key, value in wanted.items()}
    for folder, weight in adapters:
        for key, value in merged_by_peft(model, folder, torch.float32).state_dict().items():
            wanted[key] = wanted[key] + weight * (value - start[key])
    for what, found in (("one adapter", merged_by_peft(model, out / "one", torch.float32).state_dict()),
                        ("merged", tensors_of(out / "merged"))):
        gap = max((found[key] - wanted[key]).abs().max().item() for key in found)
        check(f"{name}: two adapters with weights, {what}, largest gap", gap <= 1e-5, f"{gap:.1e}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in tiny_models.ARCHITECTURES:
            for dtype, short in ((torch.float32, "fp32"), (torch.bfloat16, "bf16")):
                model = tiny_models.make_model(name, work / f"{name}-{short}", dtype)
                for variant, settings in VARIANTS.items():
                    if short == "fp32" or variant == "plain":
                        adapter = make_adapter(model, work / f"{name}-{short}-{variant}", dtype, settings)
                        compare_merge(f"{name} {short} {variant}", model, adapter, dtype, work / "out" / f"{name}-{short}-{variant}")
            model = work / f"{name}-fp32"
            for variant in ("plain", "rslora", "patterns"):
                compare_gguf_adapter(f"{name} {variant}", model, work / f"{name}-fp32-{variant}", work / "out" / f"{name}-{variant}-lora")
            compare_combined(name, model, [(work / f"{name}-fp32-plain", 0.5), (work / f"{name}-fp32-patterns", -1.5)],
                             work / "out" / f"{name}-two")
            tiny_models.SMALL.update(hidden_size=256, intermediate_size=512)  # rows of whole blocks
            compare_gguf(name, tiny_models.make_model(name, work / f"{name}-256"), work / "out" / f"{name}-gguf")
            tiny_models.SMALL.update(hidden_size=64, intermediate_size=112)
    print(f"{sum(results)} of {len(results)} passed")
    sys.exit(0 if all(results) else 1)


main()
