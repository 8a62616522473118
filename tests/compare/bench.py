# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls a built program inside a folder of its own and keeps what it says there as files."""
import dataclasses
import json
import os
import pathlib
import subprocess
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "resources" / "demo"
DEMO_ROWS = DEMO / "data" / "instructions.jsonl"
DATE = "2026-01-31"  # what templates see: two programs may be started on two days
LIMIT_SECONDS = 1200
# The demo's run in version 1 of run files, which older programs know and newer ones still read.
DEMO_RUN = {
    "name": "Polly the parrot",
    "model": {"path": str(DEMO / "model"), "base_id": "roundpipe-demo"},
    "data": {"files": [str(DEMO_ROWS)], "validation_fraction": 0.08, "max_length": 256},
    "lora": {"rank": 16, "alpha": 32},
    "optimizer": {"learning_rate": 2e-3, "schedule": "linear", "warmup_steps": 8},
    "batch": {"microbatch_size": 2, "microbatches": 4},
    "duration": {"epochs": 3},
    "engine": {"devices": ["auto"]},
}


@dataclasses.dataclass(frozen=True)
class Case:
    """One thing that both programs are asked. The name begins with its subject: "plans, other questions: Qwen3-8B, fp32"."""
    name: str
    run: typing.Callable[["Bench"], None]
    codes: tuple = (0,)  # exit codes with which BEFORE may answer

    @property
    def subject(self):
        return self.name.partition(": ")[0]


@dataclasses.dataclass(frozen=True)
class Inputs:
    """Places that all cases read: what is made for this comparison, and the fixtures unless it is a quick one."""
    shared: pathlib.Path
    fixtures: pathlib.Path | None


def unless_given(more, *usual):
    """The options and values of `usual` that `more` does not give: each may be given once."""
    return [word for pair in zip(usual[::2], usual[1::2]) if pair[0] not in more for word in pair]


class Bench:
    """A program at work on a case. `folder` is the same for both programs, so paths in what they write are too; their
    cache is in it, so what one has measured or tokenised is not there for the other."""

    def __init__(self, program, before, folder):
        self.program, self.before, self.folder = program, before, folder
        self.codes = []

    def call(self, name, *arguments, program=None):
        """Leaves NAME.out, NAME.err and NAME.code in the folder."""
        for part in ("cache", "temporary"):
            (self.folder / part).mkdir(exist_ok=True)
        environment = os.environ | {
            "XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.folder / "temporary"),
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1"}
        with open(self.folder / f"{name}.out", "wb") as out, open(self.folder / f"{name}.err", "wb") as err:
            try:
                code = subprocess.run([str(a) for a in (program or self.program, *arguments)], stdin=subprocess.DEVNULL,
                                      stdout=out, stderr=err, cwd=self.folder, env=environment, timeout=LIMIT_SECONDS).returncode
            except subprocess.TimeoutExpired:
                code = f"none within {LIMIT_SECONDS} s"
        (self.folder / f"{name}.code").write_text(f"{code}\n")
        self.codes.append(code)

    def write_run_file(self, name, change=lambda spec: None):
        """The demo's run file, changed; returns its path."""
        spec = json.loads(json.dumps(DEMO_RUN))
        change(spec)
        path = self.folder / name
        path.write_text(json.dumps(spec))
        return path
