# SPDX-License-Identifier: GPL-3.0-or-later
"""The text part of models with pictures against transformers + PEFT, on a tiny random Gemma3ForConditionalGeneration:
training, its adapter, answers of merged models, full fine-tuning, GGUF. Prints the largest error of each comparison.

usage: pictures_parity.py ROUNDPIPE LOGITS_PROBE
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import gguf
import numpy
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from transformers import Gemma3ForConditionalGeneration

import hf_trainer
import parity
import tiny_models
from gguf_tensors import gguf_names, values_of

ROUNDPIPE = sys.argv[1]
PROCESSOR = "preprocessor_config.json"
TEXT = r"model\.language_model\.layers\..*\.(q|k|v|o|gate|up|down)_proj"


class Logits(torch.nn.Module):
    """A model that hf_trainer can train: transformers asks of this one which tokens are of pictures while it trains."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask=None):
        return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=torch.zeros_like(input_ids))


def open_model(folder, dtype=torch.float32):
    model, info = Gemma3ForConditionalGeneration.from_pretrained(folder, dtype=dtype, attn_implementation="eager",
                                                                 output_loading_info=True)
    for kind in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        assert not info[kind], (kind, info[kind])
    model.config.use_cache = model.config.text_config.use_cache = False
    return model


def in_double(model, peft=None):
    text = (peft.get_base_model() if peft else model).model.language_model
    (peft or model).double()
    with hf_trainer.double_everywhere():
        text.rotary_emb = type(text.rotary_emb)(config=text.config)


def make_adapter(model_folder, folder, **settings):
    peft = get_peft_model(open_model(model_folder), LoraConfig(r=8, lora_alpha=16, task_type="CAUSAL_LM", **settings))
    with torch.no_grad():
        for name, parameter in peft.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, 0.05)
    peft.save_pretrained(folder, save_embedding_layers=False)


def with_newer_names(folder, out):
    """The same model as a folder whose tensors are called as transformers' modules."""
    out.mkdir()
    for file in folder.iterdir():
        (out / file.name).write_bytes(file.read_bytes())
    names = {"language_model.model.": "model.language_model.", "vision_tower.": "model.vision_tower.",
             "multi_modal_projector.": "model.multi_modal_projector."}
    renamed = {}
    for name, tensor in load_file(folder / "model.safetensors").items():
        old = next(old for old in names if name.startswith(old))
        renamed[names[old] + name[len(old):]] = tensor
    save_file(renamed, out / "model.safetensors", {"format": "pt"})
    return out


def load(model_folder, adapter, dtype=torch.float32):
    peft = parity.without_warnings(lambda: PeftModel.from_pretrained(open_model(model_folder), adapter, is_trainable=True))
    if dtype == torch.float64:
        in_double(None, peft)
    return peft


def logits_of(model, ids):
    with torch.no_grad():
        return model.eval()(input_ids=torch.tensor([ids]), token_type_ids=torch.zeros(1, len(ids), dtype=torch.long)).logits[0].double()


def without_prefix(gradients):
    return {name[len("model."):]: value for name, value in gradients.items()}


def worst_of(mine, theirs):
    assert set(mine) == set(theirs), set(mine) ^ set(theirs)
    return max((torch.linalg.norm(mine[key] - theirs[key]) / torch.linalg.norm(theirs[key])).item() for key in mine)


def compare_training(name, model, adapter, examples, work):
    for precision, loss_tolerance, gradient_tolerance in (("fp32", 1e-6, 1e-5), ("fp64", 1e-12, 1e-9)):
        out = work / f"first-{precision}"
        our_loss = parity.ours(model, adapter, out, 1, 1e-4, precision, clip=0)[0]
        reference = load(model, adapter, torch.float64 if precision == "fp64" else torch.float32)
        if precision == "fp64":
            with hf_trainer.double_everywhere():
                losses, gradients = hf_trainer.train(Logits(reference), examples, parity.ROWS, 1, 1e-4, 0)
        else:
            losses, gradients = hf_trainer.train(Logits(reference), examples, parity.ROWS, 1, 1e-4, 0)
        parity.report(f"{name} {precision}: first loss, relative", abs(our_loss - losses[0]) / losses[0], loss_tolerance)
        parity.report(f"{name} {precision}: every gradient, relative norm",
                      worst_of(parity.first_gradients(out), without_prefix(gradients)), gradient_tolerance)
    steps = 20
    curve = parity.ours(model, adapter, work / "curve", steps, 2e-3)
    theirs = hf_trainer.train(Logits(load(model, adapter)), examples, parity.ROWS, steps, 2e-3)[0]
    parity.report(f"{name} fp32: {steps} steps, largest gap", max(abs(a - b) for a, b in zip(curve, theirs, strict=True)), 1e-4)
    if not curve[-1] < 0.9 * curve[0]:
        sys.exit(f"{name}: the loss does not fall ({curve[0]:.3f} to {curve[-1]:.3f}), so the curves prove nothing")


def compare_adapter(name, model, adapter, ids):
    done = subprocess.run([parity.PROBE, model, adapter], input=json.dumps({"ids": ids}), capture_output=True, text=True, check=True)
    mine = torch.tensor(json.loads(done.stdout), dtype=torch.float64)
    peft = load(model, adapter)
    parity.report(f"{name}: logits of the adapter in PEFT", (mine - logits_of(peft, ids)).abs().max().item(), 1e-4)
    return peft


def tensors_of(folder):
    """name -> (file, tensor), of all files."""
    return {name: tensor for file in sorted(folder.glob("model*.safetensors")) for name, tensor in load_file(file).items()}


def compare_pictures(name, model, out):
    """What sees pictures is as it was, and all else is called as it was."""
    before, after = tensors_of(model), tensors_of(out)
    pictures = [key for key in before if "language_model" not in key]
    assert len(pictures) > 20
    passed = set(before) == set(after) and all(
        torch.equal(before[key].view(torch.uint8), after[key].view(torch.uint8)) for key in pictures if before[key].dim())
    if (out / PROCESSOR).read_bytes() != (model / PROCESSOR).read_bytes():
        sys.exit(f"{name}: what cuts pictures is another one")
    parity.report(f"{name}: names, and {len(pictures)} tensors of pictures", 0.0 if passed else 1.0, 0.0)


def export(*arguments):
    done = subprocess.run([ROUNDPIPE, "export", *map(str, arguments), "--device", "cpu", "--proof-tokens", "8", "--json"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe export {arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def compare_merged(name, model, adapter, peft, ids, out):
    wanted = logits_of(peft, ids)
    export("--model", model, "--adapter", adapter, "--to", "merged", "--out", out)
    compare_pictures(f"{name} merged", model, out)
    if (out / "config.json").read_bytes() != (model / "config.json").read_bytes():
        sys.exit(f"{name}: the merged model has another config.json")
    parity.report(f"{name}: logits of the merged model", (logits_of(open_model(out), ids) - wanted).abs().max().item(), 1e-4)


def compare_untied(name, model, adapter, ids, out):
    """An adapter of a tied head makes a table of its own of it, called as what is beside it."""
    wanted = logits_of(PeftModel.from_pretrained(open_model(model), adapter), ids)  # which warns of the tied head
    export("--model", model, "--adapter", adapter, "--to", "merged", "--out", out)
    head = "language_model.lm_head.weight" if "language_model.model.norm.weight" in tensors_of(model) else "lm_head.weight"
    config = json.load(open(out / "config.json"))
    if head not in tensors_of(out) or config["tie_word_embeddings"] or config["text_config"]["tie_word_embeddings"]:
        sys.exit(f"{name}: the merged model's head is not its own")
    parity.report(f"{name}: logits with a head of its own", (logits_of(open_model(out), ids) - wanted).abs().max().item(), 1e-4)


def compare_full(name, model, examples, work):
    steps, rate = 10, 1e-3
    command = [ROUNDPIPE, "train", "--method", "full", "--model", model, "--data", model / "rows.jsonl", "--out", work / "full",
               "--no-shuffle", "--validation-fraction", "0", "--max-steps", steps, "--microbatch-size", parity.MICROBATCH,
               "--microbatches", parity.MICROBATCHES, "--warmup-ratio", "0", "--learning-rate", rate, "--weight-decay", "0",
               "--precision", "fp32", "--moments", "fp32", "--max-length", "512", "--devices", "cpu", "--no-save-trace", "--quiet"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"roundpipe train failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    mine = [json.loads(line)["loss"] for line in open(work / "full" / "metrics.jsonl")]
    reference = open_model(model)
    for parameter in reference.parameters():
        parameter.requires_grad = False
    for parameter in [*reference.model.language_model.parameters(), *reference.lm_head.parameters()]:
        parameter.requires_grad = True
    theirs = hf_trainer.train(Logits(reference), examples, parity.ROWS, steps, rate)[0]
    parity.report(f"{name} full: {steps} steps, largest gap", max(abs(a - b) for a, b in zip(mine, theirs, strict=True)), 1e-4)
    compare_pictures(f"{name} full", model, work / "full" / "model")
    ids = examples[0][0]
    parity.report(f"{name} full: logits of the result against transformers' own",
                  (logits_of(open_model(work / "full" / "model"), ids) - logits_of(reference, ids)).abs().max().item(), 1e-3)


def compare_gguf(name, model, adapter, peft, out):
    export("--model", model, "--adapter", adapter, "--to", "gguf", "--type", "f32", "--out", out)
    reader = gguf.GGUFReader(out / "model.gguf")
    merged = peft.merge_and_unload().state_dict()
    config = json.load(open(model / "config.json"))["text_config"]
    names, worst = gguf_names(config), 0.0
    for tensor in reader.tensors:
        wanted = merged[names[tensor.name].replace("model.", "model.language_model.")].float().numpy()
        worst = max(worst, float(numpy.abs(values_of(tensor) - wanted - tensor.name.endswith("norm.weight")).max()))
    fields = {key: field.contents() for key, field in reader.fields.items()}
    assert fields["general.architecture"] == "gemma3" and fields["gemma3.rope.scaling.factor"] == 4.0
    parity.report(f"{name}: {len(reader.tensors)} tensors as gguf reads them", worst, 1e-5)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        older = tiny_models.make_model("gemma3_pictures", work / "older")
        (older / PROCESSOR).write_text('{"image_processor_type": "Gemma3ImageProcessor"}')
        examples = hf_trainer.encode(older, older / "rows.jsonl")
        ids = examples[0][0]
        make_adapter(older, work / "adapter", target_modules=TEXT)
        norms = [name for name, _ in open_model(older).named_modules() if "language_model" in name and name.endswith("norm")]
        make_adapter(older, work / "whole", target_modules=TEXT, ensure_weight_tying=True,
                     modules_to_save=["model.language_model.embed_tokens", "lm_head", *norms])
        for adapter in (work / "adapter", work / "whole"):
            name, runs = f"pictures, {adapter.name}", work / f"runs-{adapter.name}"
            compare_training(name, older, adapter, examples, runs)
            ours = runs / "curve" / "adapter"
            peft = compare_adapter(name, older, ours, ids)
            compare_merged(name, older, ours, peft, ids, runs / "merged")
            compare_gguf(name, older, ours, peft, runs / "gguf")
        newer = with_newer_names(older, work / "newer")
        ours = work / "runs-adapter" / "curve" / "adapter"
        peft = compare_adapter("pictures, newer names", newer, ours, ids)
        compare_merged("pictures, newer names", newer, work / "adapter", load(newer, work / "adapter"), ids, work / "merged-newer")
        make_adapter(older, work / "head", target_modules=TEXT + "|lm_head")
        for model in (older, newer):
            compare_untied(f"pictures, {model.name} names", model, work / "head", ids, work / f"untied-{model.name}")
            compare_full(f"pictures, {model.name} names", model, examples, work / f"full-{model.name}")
    failed = parity.results.count(False)
    print(f"{len(parity.results) - failed} comparisons passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
