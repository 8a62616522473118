# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports read by llama.cpp itself: greedy tokens against transformers + PEFT, tokens and templates of texts, and the demo.

usage: llama_cpp.py ROUNDPIPE DEMO_FOLDER

llama.cpp comes from the package xllamacpp, whose server this asks. It computes in fp32 here where weights are f32, with a cache
of fp32.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

import gguf
import torch
import xllamacpp
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

import tiny_models
from gguf_tensors import gguf_names, values_of

ROUNDPIPE, DEMO = sys.argv[1], pathlib.Path(sys.argv[2])
NEW, PROMPTS, PROMPT = 64, 20, 12  # tokens of an answer; prompts; tokens of one
ENDS = [0, 2]  # <|endoftext|> and <|im_end|> of the tiny tokenizer
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
TEXTS = ["Turn round: amber brook cedar.", "  two  spaces\n\nand lines\t", "I'll say 12345, don't you?", "naïve Straße 汉字 🦜", ""]
TALKS = [[{"role": "user", "content": "Hello."}],
         [{"role": "system", "content": "You turn words round."}, {"role": "user", "content": " amber "},
          {"role": "assistant", "content": "rebma"}, {"role": "user", "content": "Again?"}]]
BOUNDS = {"f16": 5e-3, "bf16": 4e-2, "q8_0": 0.1, "q6_k": 0.1, "q5_k_m": 0.1, "q4_k_m": 0.1}
torch.set_num_threads(1)
results = []


def check(what, passed, figure=""):
    results.append(bool(passed))
    print(f"{'pass' if passed else 'FAIL'}  {what:64s} {figure}", flush=True)


def roundpipe(*arguments):
    done = subprocess.run([ROUNDPIPE, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Llama:
    """llama.cpp with a model, and an adapter of some strength."""

    def __init__(self, model, adapter=None, strength=1.0, context=256):
        settings = xllamacpp.CommonParams()
        settings.model.path = str(model)
        settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = context, 1, 1
        settings.warmup = settings.fit_params = False
        settings.verbosity = 0
        settings.cache_type_k = settings.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        settings.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        if adapter:
            settings.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), strength)]
        self._server = xllamacpp.Server(settings)

    def ask(self, path, **fields):
        request = urllib.request.Request(f"{self._server.listening_address}/{path}", json.dumps(fields).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def greedy(self, prompt):
        return self.ask("completion", prompt=prompt, n_predict=NEW, temperature=0, ignore_eos=True, cache_prompt=False,
                        return_tokens=True)["tokens"]


def prompts(vocabulary):
    torch.manual_seed(11)
    return torch.randint(3, vocabulary, (PROMPTS, PROMPT)).tolist()


def greedy(model, prompt):
    """Its answer, which no end of a turn or text may cut off, and how far each token's logit is ahead of the second."""
    with torch.no_grad():
        ids = torch.tensor([prompt])
        done = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=False,
                              max_new_tokens=NEW, min_new_tokens=NEW, eos_token_id=None, pad_token_id=0, suppress_tokens=ENDS,
                              output_scores=True, return_dict_in_generate=True)
    ahead = [(best[0] - best[1]).item() for best in (scores[0].topk(2).values for scores in done.scores)]
    return done.sequences[0, len(prompt):].tolist(), ahead


def compare(what, llama, reference):
    """Equal to the last token; but where two logits are the same to the sixth digit either may be taken."""
    equal, ties, wrong = 0, 0, []
    for prompt in prompts(reference.config.vocab_size):
        wanted, ahead = greedy(reference, prompt)
        found = llama.greedy(prompt)
        first = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), None)
        if first is None and len(found) == NEW:
            equal += 1
        elif first is not None and ahead[first] < 1e-5:
            ties += 1
        else:
            wrong.append(first)
    check(f"{what}: {PROMPTS} answers of {NEW} tokens", not wrong,
          f"{equal} equal, {ties} with a tie" + (f", others from token {wrong}" if wrong else ""))


def tiny(name, folder):
    """Without a sliding window, which llama.cpp knows of Gemma alone; a warning of the export says so of the others."""
    kept = dict(tiny_models.ARCHITECTURES[name][2])
    if name != "gemma3":
        tiny_models.ARCHITECTURES[name][2].pop("sliding_window", None)
    made = tiny_models.make_model(name, folder)
    tiny_models.ARCHITECTURES[name][2].update(kept)
    return made


def adapter_of(model, folder):
    torch.manual_seed(5)
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    tuned = get_peft_model(base, LoraConfig(task_type="CAUSAL_LM", r=8, lora_alpha=16,
                                            target_modules=tiny_models.modules_of(base, TARGETS)))
    with torch.no_grad():
        for name, parameter in tuned.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, 0.05)
    tuned.save_pretrained(folder)
    return folder


def compare_texts(name, llama, tokenizer):
    wrong = [text for text in TEXTS
             if llama.ask("tokenize", content=text)["tokens"] != tokenizer(text, add_special_tokens=False).input_ids]
    check(f"{name}: tokens of {len(TEXTS)} texts", not wrong, repr(wrong) if wrong else "")
    wrong = [talk for talk in TALKS if llama.ask("apply-template", messages=talk)["prompt"]
             != tokenizer.apply_chat_template(talk, tokenize=False, add_generation_prompt=True)]
    check(f"{name}: {len(TALKS)} conversations by its template", not wrong, repr(wrong) if wrong else "")


def compare_architecture(name, work):
    model = tiny(name, work / name / "model")  # its name: llama.cpp looks for tokens of Phi-3's in a model that is called so
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    adapter = adapter_of(model, work / name / "adapter")
    tuned = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32), adapter).merge_and_unload()
    for kind, more, file in (("base", ["--to", "gguf", "--type", "f32"], "model.gguf"),
                             ("merged", ["--to", "gguf", "--type", "f32", "--adapter", adapter], "model.gguf"),
                             ("lora", ["--to", "gguf-adapter", "--adapter", adapter], "adapter.gguf")):
        roundpipe("export", "--model", model, *more, "--out", work / f"{name}-{kind}", "--no-proof")
        assert (work / f"{name}-{kind}" / file).is_file()
    gguf, lora = work / f"{name}-base" / "model.gguf", work / f"{name}-lora" / "adapter.gguf"
    llama = Llama(gguf)
    compare(f"{name}: base", llama, base)
    compare_texts(name, llama, AutoTokenizer.from_pretrained(model))
    compare(f"{name}: merged", Llama(work / f"{name}-merged" / "model.gguf"), tuned)
    compare(f"{name}: base with its GGUF adapter", Llama(gguf, lora), tuned)
    compare(f"{name}: that adapter at strength 0", Llama(gguf, lora, 0.0), base)


def unpacked(model, file):
    """The model with the weights of the file as the gguf package unpacks them."""
    made = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    names = gguf_names(made.config.to_dict())
    weights = {names[tensor.name]: torch.tensor(values_of(tensor)) for tensor in gguf.GGUFReader(file).tensors}
    missing, unknown = made.load_state_dict(weights, strict=False)
    assert not unknown and set(missing) <= {"lm_head.weight"}, (missing, unknown)  # which is tied
    return made.eval()


def compare_quantised(work):
    """Packed blocks in llama.cpp, which packs what they are multiplied with, too: probabilities of the next token."""
    tiny_models.SMALL.update(hidden_size=256, intermediate_size=512)  # rows of whole blocks
    model = tiny("qwen3", work / "qwen3-256")
    tiny_models.SMALL.update(hidden_size=64, intermediate_size=112)
    for kind in ("f16", "bf16", "q8_0", "q6_k", "q5_k_m", "q4_k_m"):
        roundpipe("export", "--model", model, "--to", "gguf", "--type", kind, "--out", work / kind, "--no-proof")
        file, gaps = work / kind / "model.gguf", []
        llama, reference = Llama(file), unpacked(model, file)
        for prompt in prompts(reference.config.vocab_size):
            with torch.no_grad():
                wanted = torch.log_softmax(reference(torch.tensor([prompt])).logits[0, -1], -1)
            found = llama.ask("completion", prompt=prompt, n_predict=1, temperature=0, ignore_eos=True, n_probs=20,
                              cache_prompt=False)
            for token in found.get("completion_probabilities", [{}])[0].get("top_logprobs", []):  # none for a part of a character
                gaps.append(abs(token["logprob"] - wanted[token["id"]].item()))
        mean = sum(gaps) / max(len(gaps), 1)
        check(f"qwen3 {kind}: log probabilities of the likeliest tokens, mean gap", len(gaps) >= 100 and mean <= BOUNDS[kind],
              f"{mean:.1e} of at most {BOUNDS[kind]:.0e}, {len(gaps)} tokens, the largest {max(gaps):.1e}")


def compare_demo(work):
    """Trained, exported and asked: llama.cpp says what our own engine says."""
    run = work / "demo"
    roundpipe("train", DEMO / "run.json", "--out", run, "--devices", "cpu:2", "--precision", "fp32", "--quiet")
    roundpipe("export", run, "--to", "gguf", "--type", "f32", "--out", work / "demo-gguf", "--no-proof")
    llama = Llama(work / "demo-gguf" / "model.gguf", context=512)
    adapter = next(iter(sorted(run.glob("**/adapter_model.safetensors")))).parent
    different = []
    for prompt in json.loads((DEMO / "data" / "prompts.json").read_text()):
        said = llama.ask("chat/completions", messages=[{"role": "user", "content": prompt}], max_tokens=64, temperature=0)
        said = said["choices"][0]["message"]["content"]
        ours = json.loads(roundpipe("generate", "--model", DEMO / "model", "--adapter", adapter, "--prompt", prompt, "--device",
                                    "cpu", "--precision", "fp32", "--max-new-tokens", 64, "--json"))["answer"]
        print(f"      {prompt!r} → {said!r}")
        if said.strip() != ours.strip():
            different.append((said, ours))
    check("the demo: answers by llama.cpp and by our engine", not different, repr(different) if different else "the same")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in tiny_models.ARCHITECTURES:
            compare_architecture(name, pathlib.Path(folder))
        compare_quantised(pathlib.Path(folder))
        compare_demo(pathlib.Path(folder))
    print(f"{sum(results)} of {len(results)} passed")
    sys.exit(0 if all(results) else 1)


main()
