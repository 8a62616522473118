# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers against transformers + PEFT on tiny random models of all four architectures: greedy tokens and the probability of
each, with and without adapters, at any strength, several at once, and with the penalty on repetition.

usage: answers.py ROUNDPIPE [DEVICE]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from peft.tuners.lora import LoraLayer
from transformers import AutoModelForCausalLM, AutoTokenizer

import tiny_models

ROUNDPIPE = sys.argv[1]
DEVICE = sys.argv[2] if len(sys.argv) > 2 else "cpu"
PROMPTS = ("Turn round: amber brook cedar", "Yes, violet.")
NEW = 128
torch.set_num_threads(1)
results = []


def report(what, error, tolerance):
    passed = error <= tolerance
    results.append(passed)
    print(f"{'pass' if passed else 'FAIL'}  {what:70s} {error:10.2e}  (at most {tolerance:.0e})", flush=True)


def generated(model, prompt, *more):
    command = [ROUNDPIPE, "generate", "--model", model, "--raw", "--prompt", prompt, "--device", DEVICE, "--precision", "fp32",
               "--max-new-tokens", NEW, *more]
    done = subprocess.run([str(part) for part in command], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe generate failed ({done.returncode}):\n{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout.decode()


def ours(model, prompt, *more):
    return json.loads(generated(model, prompt, "--json", *more))


def theirs(model, tokenizer, prompt, **options):
    prompt_ids = tokenizer(prompt, return_tensors="pt").input_ids
    with torch.no_grad():
        done = model.generate(input_ids=prompt_ids, attention_mask=torch.ones_like(prompt_ids), do_sample=False, max_new_tokens=NEW,
                              pad_token_id=0, return_dict_in_generate=True, output_logits=True, **options)
    tokens = done.sequences[0, prompt_ids.shape[1]:].tolist()
    logs = [torch.log_softmax(logits[0].double(), -1)[token].item() for logits, token in zip(done.logits, tokens, strict=True)]
    return prompt_ids[0].tolist(), tokens, logs


def compare(what, model, reference, tokenizer, *more, **options):
    different, worst, count = 0, 0.0, 0
    for prompt in PROMPTS:
        mine = ours(model, prompt, *more)
        prompt_ids, tokens, logs = theirs(reference, tokenizer, prompt, **options)
        assert [token["id"] for token in mine["prompt_tokens"]] == prompt_ids
        ids = [token["id"] for token in mine["tokens"]]
        different += ids != tokens
        worst = max([worst] + [abs(token["log_probability"] - log) for token, log in zip(mine["tokens"], logs)])
        count += len(ids)
    # Without probabilities a GPU picks by itself, ahead of the host.
    different += generated(model, prompt, *more) != mine["answer"] + "\n"
    report(f"{what}: answers that differ, {count} tokens", different, 0)
    report(f"{what}: largest gap of log probabilities", worst, 1e-4)


def make_adapter(model, folder, seed, **settings):
    torch.manual_seed(seed)
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    settings["target_modules"] = tiny_models.modules_of(base, settings["target_modules"])
    tuned = get_peft_model(base, LoraConfig(task_type="CAUSAL_LM", **settings))
    with torch.no_grad():
        for name, parameter in tuned.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, 0.05)
            elif "modules_to_save" in name:
                parameter.add_(torch.randn_like(parameter) * 0.02)
    tuned.save_pretrained(folder)


def weigh(tuned, weights):
    """Adds up adapters by weights, as PEFT's layers do with several active ones."""
    tuned.base_model.set_adapter(list(weights))
    for module in tuned.modules():
        if isinstance(module, LoraLayer):
            for name, weight in weights.items():
                if name in module.scaling:
                    module.scaling[name] *= weight


def with_adapters(model, folders, weights):
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    first, *others = folders
    tuned = PeftModel.from_pretrained(base, folders[first], adapter_name=first)
    for name in others:
        tuned.load_adapter(folders[name], adapter_name=name)
    weigh(tuned, weights)
    return tuned.eval()


def compare_architecture(name, work):
    model = tiny_models.make_model(name, work / name)
    tokenizer = AutoTokenizer.from_pretrained(model)
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
    compare(f"{name}", model, base, tokenizer)
    compare(f"{name}, repetition penalty 1.3", model, base, tokenizer, "--repetition-penalty", 1.3, repetition_penalty=1.3)
    folders = {"all": work / f"{name}-all", "some": work / f"{name}-some"}
    make_adapter(model, folders["all"], 1, r=8, lora_alpha=16, target_modules="all-linear")
    make_adapter(model, folders["some"], 2, r=4, lora_alpha=4, use_rslora=True, target_modules=["q_proj", "down_proj"])
    one = ("--adapter", f"all={folders['all']}")
    compare(f"{name}, adapter", model, with_adapters(model, folders, {"all": 1.0}), tokenizer, *one)
    compare(f"{name}, adapter at strength 0.4", model, with_adapters(model, folders, {"all": 0.4}), tokenizer, *one, "--strength", 0.4)
    compare(f"{name}, adapter at strength 0", model, base, tokenizer, *one, "--strength", 0)
    compare(f"{name}, two adapters", model, with_adapters(model, folders, {"all": 0.7, "some": -0.4}), tokenizer, "--adapter",
            f"all={folders['all']},weight=1.4", "--adapter", f"some={folders['some']},weight=-0.8", "--strength", 0.5)


def compare_whole_modules(work):
    """An adapter that trains modules whole: as it is, left out, and beside another one."""
    model = tiny_models.make_model("llama", work / "whole")
    tokenizer = AutoTokenizer.from_pretrained(model)
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
    folders = {"whole": work / "whole-adapter", "plain": work / "plain-adapter"}
    make_adapter(model, folders["whole"], 3, r=4, lora_alpha=8, target_modules=["v_proj"], modules_to_save=["lm_head"])
    make_adapter(model, folders["plain"], 4, r=4, lora_alpha=8, target_modules=["o_proj"])
    both = ("--adapter", f"whole={folders['whole']}", "--adapter", f"plain={folders['plain']}")
    tuned = with_adapters(model, {"whole": folders["whole"]}, {"whole": 1.0})
    compare("modules trained whole", model, tuned, tokenizer, "--adapter", folders["whole"])
    compare("modules trained whole, beside another at 0", model, tuned, tokenizer, *both[:3], both[3] + ",weight=0")
    compare("modules trained whole, at strength 0", model, base, tokenizer, *both, "--strength", 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for architecture in tiny_models.ARCHITECTURES:
            compare_architecture(architecture, pathlib.Path(folder))
        compare_whole_modules(pathlib.Path(folder))
    print(f"{sum(results)} of {len(results)} comparisons passed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
