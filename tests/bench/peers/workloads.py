# SPDX-License-Identifier: GPL-3.0-or-later
"""What is compared: a shape, what is trained of it, how many sequences a step holds, and how each system is asked for it.

A system's options are those that suit it best of what was tried: its own number of microbatches, activations kept where
they fit. All sizes are for one GPU; on more a step holds that many times the sequences, in as many more microbatches.
"""
import dataclasses
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import train_shape  # noqa: E402

RANK = 32


@dataclasses.dataclass(frozen=True)
class Workload:
    shape: str  # of train_shape.SHAPES
    batch: int  # sequences of a step, for each GPU
    length: int  # tokens of a sequence
    microbatches: int  # ours, for each GPU
    method: str = "lora"
    ours: tuple = ()  # more options of `roundpipe bench`
    memory: str = ""  # ours: what limits each GPU, as in cuda:0@10GiB
    steps: int = 20  # ours: fewer where a step is long; the others stop after 40 seconds, and five steps
    # by system: (microbatches for each GPU, more options of peer.py)
    peers: dict = dataclasses.field(default_factory=dict)

    def tokens(self, gpus):
        return self.batch * self.length * gpus


KEEPS = ("--keep-activations",)
FULL = dict(method="full")

WORKLOADS = {
    "8b": Workload("8b", 16, 2048, 4, peers={"roundpipe": (4, ()), "liger": (16, KEEPS), "hf": (4, ())}),
    "1.7b": Workload("1.7b", 16, 2048, 4, peers={"roundpipe": (2, ()), "liger": (8, KEEPS), "hf": (2, ())}),
    # Weights travel and activations are computed again, as the library of the method does it: in no more than its memory.
    "8b-streamed": Workload("8b", 16, 2048, 16, memory="9GiB", peers={"roundpipe": (4, ())}),
    "1.7b-streamed": Workload("1.7b", 16, 2048, 8, memory="5GiB", peers={"roundpipe": (2, ())}),
    # A card of 24 GiB and its link; and the engine made to follow the library: its cuts (the head, whose cost is the
    # most that a stage may take, nine layers forward, three backward), and no memory to keep anything.
    "8b-4090": Workload("8b", 16, 2048, 16, memory="4090"),
    "8b-4090-follows": Workload("8b", 16, 2048, 4, memory="4090@13GiB", ours=(
        "--forward-stages", "10,9,9,9", "--backward-stages", "1,3,3,3,3,3,3,3,3,3,3,3,3,1")),
    "8b-32k": Workload("8b", 2, 32768, 2, ours=("--determinism", "fast"), steps=5,
                        peers={"liger": (2, ()), "roundpipe": (2, ())}),
    "8b-32k-24g": Workload("8b", 2, 32768, 2, ours=("--determinism", "fast"), steps=5, memory="24GiB"),
    "8b-one": Workload("8b", 1, 2048, 1, peers={"liger": (1, KEEPS), "roundpipe": (1, ())}),
    "8b-one-10g": Workload("8b", 1, 2048, 1, memory="10GiB"),
    "1.7b-full": Workload("1.7b", 16, 2048, 4, **FULL, ours=("--updates", "one-step-stale"), peers={"roundpipe": (2, ())}),
    "1.7b-full-bf16": Workload("1.7b", 16, 2048, 4, **FULL, ours=("--updates", "one-step-stale", "--moments", "bf16"),
                               peers={"liger": (2, ())}),
}


def write_config(shape, folder):
    path = pathlib.Path(folder) / f"qwen3-{shape}.json"
    path.write_text(json.dumps(train_shape.config_of(shape)))
    return path
