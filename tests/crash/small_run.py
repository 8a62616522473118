# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of seconds on two CPU workers, and what it leaves."""
import json
import os
import pathlib
import subprocess

import tiny_models

WAYS = {
    "lora": (),
    "stale": ("--updates", "one-step-stale"),
    "full": ("--method", "full", "--learning-rate", "0.001"),
    "full-stale": ("--method", "full", "--updates", "one-step-stale", "--learning-rate", "0.001"),
}
LIMIT = 300  # seconds


class SmallRun:
    """`steps` optimizer steps in the folder `work`, a checkpoint after every second one."""

    def __init__(self, roundpipe, work, way, steps):
        self.roundpipe, self.work, self.way, self.steps = roundpipe, pathlib.Path(work), way, steps
        self.model = self.work / "model"
        if not self.model.exists():
            tiny_models.make_model("qwen3", self.model)
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(self.work / "cache"), XDG_DATA_HOME=str(self.work / "home"),
                                OMP_NUM_THREADS="1")

    def command(self, out, *more):
        steps = () if "--max-steps" in more else ("--max-steps", self.steps)
        return [str(word) for word in (
            self.roundpipe, "train", "--model", self.model, "--data", self.model / "rows.jsonl", "--out", out, "--devices",
            "cpu:2", *steps, "--save-every", 2, "--eval-every", 4, "--validation-fraction", 0.2,
            "--dropout", 0.1, "--max-length", 64, *WAYS[self.way], *more)]

    def run(self, out, *more, **environment):
        return subprocess.run(self.command(out, *more), capture_output=True, text=True, timeout=LIMIT,
                              env=self.environment | {name: str(value) for name, value in environment.items()})

    def begin(self, out, *more, **environment):
        return subprocess.Popen(self.command(out, *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env=self.environment | {name: str(value) for name, value in environment.items()})

    def command_line(self, *words, **environment):
        """Another command of the program."""
        return subprocess.run([str(word) for word in (self.roundpipe, *words)], capture_output=True, text=True,
                              timeout=LIMIT,
                              env=self.environment | {name: str(value) for name, value in environment.items()})


def losses(out):
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    return {line["step"]: (line["loss"], line["grad_norm"], line["validation_loss"]) for line in lines}


def weights(out):
    """Every byte of the result."""
    return {path.name: path.read_bytes() for folder in ("adapter", "model")
            for path in sorted((out / folder).glob("*.safetensors"))}
