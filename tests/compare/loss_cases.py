# SPDX-License-Identifier: GPL-3.0-or-later
"""What is trained: losses and norms of every step, adapters, checkpoints and answers, over devices, cuts and batches."""
import json
import shutil

from bench import DATE, DEMO, DEMO_ROWS, ROOT, Case, unless_given

PROMPT = "What do you know about dogs?"

VARIANTS = {
    "one device": ("--devices", "cpu:1"),
    "two devices": ("--devices", "cpu:2"),
    "three devices": ("--devices", "cpu:3"),
    "dropout": ("--devices", "cpu:2", "--dropout", 0.1),
    "two rounds with dropout": ("--devices", "cpu:3", "--rounds", 2, "--microbatches", 3, "--dropout", 0.1),
    "best-fit packing": ("--devices", "cpu:2", "--packing", "best-fit", "--microbatch-tokens", 128),
    "packing by length, tokens a step": ("--devices", "cpu:3", "--packing", "by-length", "--microbatch-tokens", 160,
                                         "--tokens-per-step", 700),
    "in file order, everything trained, another seed": ("--devices", "cpu:2", "--no-shuffle", "--train-on", "all", "--seed", 7),
    "rows cut off": ("--devices", "cpu:2", "--max-length", 28),
    "long rows dropped": ("--devices", "cpu:2", "--max-length", 40, "--over-length", "drop"),
    "cosine, decay, no clipping": ("--devices", "cpu:1", "--schedule", "cosine", "--warmup-steps", 0, "--warmup-ratio", 0.4,
                                   "--weight-decay", 0.1, "--max-grad-norm", 0, "--beta2", 0.95),
    "few layers, rank-stabilised": ("--devices", "cpu:2", "--targets", "q_proj,v_proj,down_proj", "--rank", 4, "--rslora"),
    "given stages": ("--devices", "cpu:3", "--forward-stages", "3,4", "--backward-stages", "5,3,4"),
    "bf16": ("--devices", "cpu:2", "--precision", "bf16"),
    "fp64": ("--devices", "cpu:2", "--precision", "fp64"),
    "fast kernels": ("--devices", "cpu:1", "--determinism", "fast"),
    "no validation": ("--devices", "cpu:2", "--validation-fraction", 0, "--no-data-cache"),
}
# As tests/pipeline/tst_bitwise cuts six layers; None: as planned, which the one stage of all layers can only be.
CUTS = (None, ("2,2", "2,1,1,1"), ("3", "3,2"), ("5", "1,1,1,1,1"), ("1,1,1,1,1", "1,2,3"))
SMALL = {"vocab_size": 2560, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 4, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 16, "hidden_act": "silu", "max_position_embeddings": 512, "rms_norm_eps": 1e-6,
         "rope_theta": 10000.0, "eos_token_id": 2, "torch_dtype": "float32", "tie_word_embeddings": False}
FAMILIES = {
    "qwen3": {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "tie_word_embeddings": True},
    "qwen2": {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "head_dim": 12},
    "llama": {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": True, "mlp_bias": True},
    "mistral": {"architectures": ["MistralForCausalLM"], "model_type": "mistral", "sliding_window": 16},
}
OTHERS = {
    "untied llama without clipping": ("llama", ("--max-grad-norm", 0)),
    "llama, layers below the first trained one and a trained head": (
        "llama", ("--targets", "model.layers.2.self_attn.q_proj,model.layers.3.mlp.down_proj,lm_head")),
    "qwen2": ("qwen2", ()),
    "mistral, a narrow window": ("mistral", ()),
    "llama in fp64": ("llama", ("--precision", "fp64")),
    "qwen3 in bf16": ("qwen3", ("--precision", "bf16", "--rounds", 2, "--dropout", 0.1)),
}
REFUSED = {
    "no such choice": ("--packing", "tightly"),
    "no such precision": ("--precision", "fp8"),
    "no such determinism": ("--determinism", "loose"),
    "no such row format": ("--format", "yaml"),
    "no such rule for masks": ("--train-on", "users"),
    "no such schedule": ("--schedule", "steps"),
    "no such rule for length": ("--over-length", "split"),
    "a number out of range": ("--rank", 0),
    "no number": ("--learning-rate", "fast"),
    "no such device": ("--devices", "tpu"),
    "stages that leave a layer out": ("--forward-stages", "4", "--backward-stages", "3,4"),
    "stages without the fused one": ("--forward-stages", "4,4"),
    "no such layer": ("--targets", "q_projection"),
    "one text around turns": ("--turn-begin", "<|im_start|>"),
    "no such field in columns": ("--columns", "bogus=x"),
    "no such file": ("--data", "absent.jsonl"),
    "no such model": ("--model", "absent"),
    "no date": ("--template-date", "today"),
    "a share that no row reaches": ("--min-trained-share", 1),
    "nothing to resume": ("--resume",),
}


def train(bench, name, *options, program=None):
    """A run whose folder is NAME."""
    bench.call(name, "train", *options, "--out", bench.folder / name, "--template-date", DATE, "--quiet", program=program)


def train_demo(bench, name, *options, program=None):
    """Six steps of the demo, validated and saved on the way."""
    usual = unless_given(options, "--max-steps", 6, "--eval-every", 3, "--save-every", 4, "--warmup-steps", 2)
    train(bench, name, bench.write_run_file("given.json"), *usual, *options, program=program)


def small_model(inputs, family):
    """Config and tokenizer alone: the program makes the weights."""
    folder = inputs.shared / "models" / family
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "config.json").write_text(json.dumps(SMALL | FAMILIES[family]))
        for name in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copyfile(DEMO / "model" / name, folder / name)
    return folder


def small_run(inputs, family, *options):
    return ("--model", small_model(inputs, family), "--random-weights", "--data", DEMO_ROWS,
            "--max-length", 40, "--microbatch-size", 1, "--validation-fraction", 0, "--learning-rate", 1e-2,
            "--warmup-steps", 0, "--max-steps", 3, *options)


def resumed():
    def run(bench):
        same = ("--schedule", "constant", "--dropout", 0.1)
        train_demo(bench, "run", "--devices", "cpu:2", *same, "--max-steps", 3)
        train_demo(bench, "run", "--devices", "cpu:3", *same, "--resume")
    return Case("losses, demo: stopped and resumed on another device", run)


def handed_over():
    def run(bench):
        train_demo(bench, "run", "--devices", "cpu:2", "--schedule", "constant", "--max-steps", 3, program=bench.before)
        bench.call("resumed", "train", bench.folder / "run" / "run.json", "--max-steps", 6, "--resume", "--quiet")
        bench.call("answer", "generate", "--model", DEMO / "model", "--adapter", bench.folder / "run" / "adapter",
                   "--prompt", PROMPT, "--device", "cpu", "--max-new-tokens", 24)
    return Case("losses, demo: a run folder of BEFORE resumed by both", run)


def answered():
    def run(bench):
        train_demo(bench, "first", "--devices", "cpu:2")
        train_demo(bench, "second", "--devices", "cpu:2", "--init-adapter", bench.folder / "first" / "adapter")
        for name, options in (("base", ()), ("tuned", ("--adapter", bench.folder / "second" / "adapter")),
                              ("drawn", ("--temperature", 0.8, "--top-k", 20, "--top-p", 0.9, "--seed", 3))):
            bench.call(name, "generate", "--model", DEMO / "model", "--prompt", PROMPT, "--device", "cpu",
                       "--max-new-tokens", 24, *options)
    return Case("losses, demo: an adapter trained on, and answers", run)


def refused(what, options):
    def run(bench):
        bench.call("refused", "train", *unless_given(options, "--model", DEMO / "model"), "--data", DEMO_ROWS,
                   "--out", bench.folder / "run", "--max-steps", 1, "--devices", "cpu:1", "--quiet", *options)
    return Case(f"losses, refused: {what}", run, (2, 3, 4))


def refused_file(what, change):
    def run(bench):
        bench.call("refused", "train", bench.write_run_file("given.json", change), "--out", bench.folder / "run")
    return Case(f"losses, refused: {what}", run, (2, 3, 4))


def bitwise_cases():
    """Microbatches 1 to 7 on 1, 2 and 3 devices; cuts, dropout and rounds take turns."""
    for count in range(1, 8):
        for devices in (1, 2, 3):
            turn = count * 3 + devices
            cut, options = CUTS[turn % len(CUTS)], ["--microbatches", count, "--devices", f"cpu:{devices}"]
            if cut:
                options += ["--forward-stages", cut[0], "--backward-stages", cut[1]]
            if turn % 4 in (1, 2):
                options += ["--dropout", 0.25]
            if (count + devices) % 3 == 0:
                options += ["--rounds", 2]
            yield f"{count} microbatches, {devices} devices, {'planned' if not cut else 'cut ' + ' | '.join(cut)}", options


def quick(inputs):
    yield Case("losses, quick: two rounds with dropout", lambda bench: train(
        bench, "run", *small_run(inputs, "qwen3", "--devices", "cpu:2", "--rounds", 2, "--dropout", 0.1)))
    yield Case("losses, quick: no such choice", refused("", REFUSED["no such choice"]).run, (2,))


def cases(inputs):
    yield Case("losses, demo: the whole run", lambda bench: train(
        bench, "run", bench.write_run_file("given.json"), "--devices", "cpu:2"))
    for what, options in VARIANTS.items():
        yield Case(f"losses, demo: {what}",
                   lambda bench, options=options: train_demo(bench, "run", *options))
    yield resumed()
    yield handed_over()
    yield answered()

    stories = ("--model", inputs.fixtures / "weights" / "stories260K-hf",
               "--chat-template", ROOT / "tests" / "reference" / "chatml.jinja",
               "--data", inputs.fixtures / "datasets" / "llama_factory" / "alpaca_en_demo.json",
               "--max-length", 256, "--max-steps", 12, "--max-validation-rows", 16, "--eval-every", 6, "--learning-rate", 2e-3)
    for what, options in {"one device": ("--devices", "cpu:1"), "three devices": ("--devices", "cpu:3"),
                          "packed": ("--devices", "cpu:2", "--packing", "best-fit", "--microbatch-tokens", 512)}.items():
        yield Case(f"losses, stories: {what}", lambda bench, options=options: train(bench, "run", *stories, *options))

    for what, options in bitwise_cases():
        yield Case(f"losses, as the bitwise tests: {what}",
                   lambda bench, options=options: train(bench, "run", *small_run(inputs, "qwen3", *options)))
    for what, (family, options) in OTHERS.items():
        for devices in (1, 3):
            yield Case(f"losses, as the bitwise tests: {what}, {devices} devices",
                       lambda bench, family=family, options=options, devices=devices: train(
                           bench, "run", *small_run(inputs, family, "--devices", f"cpu:{devices}", *options)))

    for what, options in REFUSED.items():
        yield refused(what, options)
    yield refused_file("an unknown key in a run file", lambda spec: spec["lora"].update(rnak=8))
    yield refused_file("a wrong type in a run file", lambda spec: spec["batch"].update(microbatches="four"))
    yield refused_file("a wrong choice in a run file", lambda spec: spec["optimizer"].update(schedule="sloping"))
    yield refused_file("a run file of the future", lambda spec: spec.update(version=99))
