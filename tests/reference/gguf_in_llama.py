# SPDX-License-Identifier: GPL-3.0-or-later
"""GGUF files in llama.cpp itself: tokens, adapters, and quantised weights beside its own. Run by hand, since llama.cpp has
to be compiled for it (a quarter of an hour on two cores), in the environment of the other reference tests:

    pip install llama-cpp-python
    tests/reference/gguf_in_llama.py build/release/app/cli/roundpipe

usage: gguf_in_llama.py ROUNDPIPE
"""
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import gguf
import llama_cpp
import numpy
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

import tiny_models

ROUNDPIPE = sys.argv[1]
PROMPTS, TOKENS = 20, 64
torch.set_num_threads(1)
results = []


def check(what, passed, figure=""):
    results.append(bool(passed))
    print(f"{'pass' if passed else 'FAIL'}  {what:60s} {figure}", flush=True)


def export(*arguments):
    done = subprocess.run([ROUNDPIPE, "export", *map(str, arguments), "--no-proof"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe export {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}{done.stderr}")


def prompts():
    words = tiny_models.WORDS
    return ["Turn round: " + " ".join(words[(i * 5 + j * 3) % len(words)] for j in range(2 + i % 6)) for i in range(PROMPTS)]


def greedy(model, ids):
    model.generation_config.eos_token_id = None
    with torch.no_grad():
        answer = model.generate(torch.tensor([ids]), do_sample=False, max_new_tokens=TOKENS, pad_token_id=0)
    return answer[0, len(ids):].tolist()


def greedy_in_llama(llama, ids):
    llama.reset()
    tokens = []
    for token in llama.generate(ids, temp=0.0, repeat_penalty=1.0):
        tokens.append(token)
        if len(tokens) == TOKENS:
            return tokens


def load(file, **adapter):
    return llama_cpp.Llama(str(file), n_ctx=256, n_threads=1, n_gpu_layers=0, verbose=False, **adapter)


def compare_answers(what, llama, model, tokenizer):
    texts = prompts()
    cut = [tokenizer(text, add_special_tokens=False).input_ids for text in texts]
    same = sum(llama.tokenize(text.encode(), add_bos=False, special=True) == ids for text, ids in zip(texts, cut, strict=True))
    check(f"{what}: prompts cut alike", same == PROMPTS, f"{same} of {PROMPTS}")
    agreeing = sum(greedy_in_llama(llama, ids) == greedy(model, ids) for ids in cut)
    check(f"{what}: {TOKENS} greedy tokens", agreeing == PROMPTS, f"{agreeing} of {PROMPTS} answers")


def compare_quantised(name, model, full, out):
    """Their quantiser on our file of fp32, and ours: sizes, errors, and blocks of Q8_0."""
    kinds = {"q8_0": llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0, "q6_k": llama_cpp.LLAMA_FTYPE_MOSTLY_Q6_K,
             "q5_k_m": llama_cpp.LLAMA_FTYPE_MOSTLY_Q5_K_M, "q4_k_m": llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M}
    exact = {tensor.name: tensor.data for tensor in gguf.GGUFReader(full).tensors}
    for kind, ftype in kinds.items():
        export("--model", model, "--to", "gguf", "--type", kind, "--out", out / kind)
        ours, theirs = out / kind / "model.gguf", out / f"theirs-{kind}.gguf"
        parameters = llama_cpp.llama_model_quantize_default_params()
        parameters.ftype, parameters.nthread = ftype, 1
        assert llama_cpp.llama_model_quantize(str(full).encode(), str(theirs).encode(), ctypes.byref(parameters)) == 0
        found = {tensor.name: tensor for tensor in gguf.GGUFReader(ours).tensors}
        wanted = {tensor.name: tensor for tensor in gguf.GGUFReader(theirs).tensors}
        check(f"{name} {kind}: types and sizes of tensors",
              all(found[key].tensor_type == wanted[key].tensor_type and found[key].n_bytes == wanted[key].n_bytes for key in wanted))
        worst, equal = 0.0, True
        for key, tensor in wanted.items():
            if tensor.tensor_type != found[key].tensor_type or tensor.tensor_type == gguf.GGMLQuantizationType.F32:
                continue
            error = [numpy.linalg.norm(gguf.quants.dequantize(each.data, each.tensor_type) - exact[key])
                     for each in (found[key], tensor)]
            worst = max(worst, float(error[0] / error[1]))
            equal &= tensor.tensor_type != gguf.GGMLQuantizationType.Q8_0 or numpy.array_equal(tensor.data, found[key].data)
        check(f"{name} {kind}: our error over theirs, the largest of all tensors", worst <= 1.0001 and equal, f"{worst:.4f}")
        load(ours)  # it takes our files


def main():
    tiny_models.SMALL.update(hidden_size=256, intermediate_size=512)
    tiny_models.ARCHITECTURES["mistral"][2]["sliding_window"] = None  # which llama.cpp does not have
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in tiny_models.ARCHITECTURES:
            model_folder = tiny_models.make_model(name, work / name)
            tokenizer = AutoTokenizer.from_pretrained(model_folder)
            base = AutoModelForCausalLM.from_pretrained(model_folder, dtype=torch.float32)
            export("--model", model_folder, "--to", "gguf", "--type", "f32", "--out", work / f"{name}-f32")
            file = work / f"{name}-f32" / "model.gguf"
            compare_answers(f"{name}: model", load(file), base, tokenizer)
            torch.manual_seed(5)
            tuned = get_peft_model(base, LoraConfig(task_type="CAUSAL_LM", r=8, lora_alpha=20, use_rslora=name == "qwen3",
                                                    target_modules=["q_proj", "k_proj", "v_proj", "down_proj"]))
            with torch.no_grad():
                for key, parameter in tuned.named_parameters():
                    if "lora_B" in key:
                        parameter.normal_(0, 0.1)
            tuned.save_pretrained(work / f"{name}-adapter")
            export("--model", model_folder, "--adapter", work / f"{name}-adapter", "--to", "gguf-adapter", "--out",
                   work / f"{name}-lora")
            lora = str(work / f"{name}-lora" / "adapter.gguf")
            base = AutoModelForCausalLM.from_pretrained(model_folder, dtype=torch.float32)
            compare_answers(f"{name}: adapter at 0", load(file, lora_path=lora, lora_scale=0.0), base, tokenizer)
            merged = PeftModel.from_pretrained(base, work / f"{name}-adapter").merge_and_unload()
            compare_answers(f"{name}: adapter at 1", load(file, lora_path=lora, lora_scale=1.0), merged, tokenizer)
            compare_quantised(name, model_folder, file, work / "quantised" / name)
    print(f"{sum(results)} of {len(results)} passed")
    sys.exit(0 if all(results) else 1)


main()
