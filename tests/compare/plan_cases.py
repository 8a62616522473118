# SPDX-License-Identifier: GPL-3.0-or-later
"""What `roundpipe plan` and `inspect` answer: every config of the fixtures on six rigs, and every option once."""
from bench import DEMO, Case

# One GPU, equal ones, many on narrow links, old ones, unequal ones that share uplinks and little memory, a server.
RIGS = ("4090", "4x4090", "8x4090@pcie4x8", "2x3090", "2x4090+2x3090,ram=128,root=2", "2xh100@nvlink")
ANSWERED = (0, 3, 6)  # planned; an architecture that is not supported; fits nowhere, with remedies

QUESTIONS = {
    "in words, drawn, as a trace and its rig saved": (
        "--rig", "4x4090", "--svg", "step.svg", "--trace", "step.json", "--save-rig", "rig.json"),
    "against other schedules": ("--rig", "4x4090", "--compare", "--microbatches", 8, "--json"),
    "against other schedules, in words": ("--rig", "2x4090+2x3090", "--compare"),
    "an engine that can do all": ("--rig", "4x4090", "--engine", "full", "--json"),
    "an engine that can do all, with peer paths": ("--rig", "4x3090@nvlink", "--engine", "full", "--microbatches", 8, "--json"),
    "one step stale": ("--rig", "4x4090", "--updates", "one-step-stale", "--microbatches", 6, "--json"),
    "tokens a step": ("--rig", "4x4090", "--tokens-per-step", 65536, "--json"),
    "tokens a step of unequal GPUs": ("--rig", "4090+2x3090", "--tokens-per-step", 32768, "--json"),
    "packed weights": ("--rig", "2x3090@pcie3x8", "--weights", "int8,nf4", "--json"),
    "uneven rows, few trained": ("--rig", "4x4090", "--average-length", 300, "--trained-share", 0.4, "--json"),
    "long rows": ("--rig", "2x4090", "--max-length", 16384, "--microbatch-size", 1, "--json"),
    "two rounds": ("--rig", "3x4090", "--rounds", 2, "--microbatches", 5, "--json"),
    "dropout and a large rank": ("--rig", "4x4090", "--dropout", 0.1, "--rank", 128, "--alpha", 64, "--json"),
    "few layers adapted": ("--rig", "4x4090", "--targets", "q_proj,v_proj", "--json"),
    "fp32": ("--rig", "4x4090", "--precision", "fp32", "--json"),
    "fast kernels": ("--rig", "4x4090", "--determinism", "fast", "--json"),
    "CPU workers": ("--rig", "3xcpu,ram=64", "--max-length", 128, "--json"),
    "little host memory": ("--rig", "4x4090,ram=12", "--json"),
}
MODELS = ("Llama-3.2-1B", "Qwen3-8B", "Qwen3-30B-A3B")  # tied, untied, sparse
# Of 38 layers: the embedding, 36 blocks, the head.
GIVEN = {
    "given stages": ("--forward-stages", "13,13", "--backward-stages", "12,13,13", "--json"),
    "given stages that are too large": ("--forward-stages", "19", "--backward-stages", "19,19", "--max-length", 16384, "--json"),
    "given stages that leave a layer out": ("--forward-stages", "13", "--backward-stages", "12,12"),
}


def plan(name, model, options, codes=ANSWERED):
    return Case(name, lambda bench: bench.call("plan", "plan", "--model", model, *options), codes)


def quick(inputs):
    yield plan("plans, quick: the demo's model", DEMO / "model" / "config.json", ("--rig", "4x4090", "--json"))
    yield Case("plans, quick: the demo's run", lambda bench: bench.call(
        "plan", "plan", "--run", bench.write_run_file("given.json"), "--rig", "2x3090", "--json"))


def cases(inputs):
    configs = sorted((inputs.fixtures / "configs").glob("*.json"))
    for config in configs:
        for rig in RIGS:
            yield plan(f"plans, every config on {len(RIGS)} rigs: {config.stem} on {rig}", config, ("--rig", rig, "--json"))
    for model in MODELS:
        for what, options in QUESTIONS.items():
            yield plan(f"plans, other questions: {model}, {what}", inputs.fixtures / "configs" / f"{model}.json", options)
    for what, options in GIVEN.items():
        yield plan(f"plans, other questions: Qwen3-8B, {what}", inputs.fixtures / "configs" / "Qwen3-8B.json",
                   ("--rig", "4x4090", *options), (*ANSWERED, 2))
    for config in configs:
        yield Case(f"plans, what configs hold: {config.stem}",
                   lambda bench, config=config: bench.call("inspect", "inspect", config, "--json"), ANSWERED)
