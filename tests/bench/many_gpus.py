# SPDX-License-Identifier: GPL-3.0-or-later
"""The same step on one GPU and on all of them: ours, its modes, and the method's public Python library.

usage: many_gpus.py ROUNDPIPE scaling|modes [--gpus 1,2,4] [--minutes 9] [--lines FILE]
    scaling   1.7B and 8B shapes, LoRA, 32 sequences of 2,048 tokens in 8 microbatches: ours and the library in turns,
              the most GPUs first, as the library takes minutes on one; a 32B shape on the most
    modes     the same on the most GPUs: stages in turn, synchronous and one step stale, and replicas; losses on each
              number of GPUs to the last bit; roundpipe selftest --full

Numbers of GPUs divide the step's 8 microbatches. A JSON line a run, and a table at the end: what each GPU is idle for
beside what the plan says, and the reasons as `roundpipe trace info` names them; then what links carry, and what would
make a step faster. What cannot begin in time is left out, and said. Ends with 1 where a run or the self-test failed, or
losses differ. The library is installed as peers/peer.py says.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
import measured  # noqa: E402
from workloads import Workload  # noqa: E402

BATCH, LENGTH, MICROBATCHES = 32, 2048, 8
STAGES, STALE, REPLICAS = ("--replicas", "never"), ("--updates", "one-step-stale"), ("--replicas", "always")
PEER_SECONDS = 15  # of steps, and five of them at least: its start takes a minute
LITTLE_IDLE = 0.05  # of a step: what is left is computing
REMEDIES = {  # by what the trace says that a GPU waits for
    "packet": "packets of other stages: replicas where the model fits each GPU, or more microbatches",
    "host": "the host: --updates one-step-stale, so that the end of a step is not waited for",
    "update": "the update of the step before: --updates one-step-stale",
    "weights": "weights: a base in 4 or 8 bits (--weights), or more memory for those that stay",
    "gradient": "room for gradients: fewer layers in the last stages",
}


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("roundpipe")
    parser.add_argument("what", choices=["scaling", "modes"])
    parser.add_argument("--gpus", default="1,2,4", type=numbers_of_gpus)
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--lines", help="where the JSON lines go, too", type=argparse.FileType("a"))
    asked = parser.parse_args()
    if not os.access(asked.roundpipe, os.X_OK):
        parser.error(f"'{asked.roundpipe}' is no program")
    return asked


def numbers_of_gpus(text):
    """[1, 2, 4] of "4,2,1"."""
    try:
        numbers = sorted({int(number) for number in text.split(",")})
    except ValueError:
        numbers = [0]
    if any(number < 1 or MICROBATCHES % number for number in numbers):
        raise argparse.ArgumentTypeError(f"'{text}': write numbers of GPUs that divide {MICROBATCHES}, as in 1,2,4")
    return numbers


def shape_of(name):
    return name.split(",")[0]


def shared_by(shape, gpus):
    """The one step, its microbatches shared out to so many GPUs."""
    return Workload(shape, BATCH // gpus, LENGTH, MICROBATCHES // gpus, peers={"roundpipe": (MICROBATCHES // gpus, ())})


class Runs:
    def __init__(self, asked, folder):
        self._asked, self._folder, self._end = asked, folder, time.monotonic() + 60 * asked.minutes
        self.rows = []

    def left(self):
        return self._end - time.monotonic()

    def add(self, name, gpus, work, system="ours", more=(), steps=10, warm_up=2):
        if self.left() < 20:
            run = dict(failed="left out: the time was over")
        elif system == "ours":
            run = measured.ours(self._asked.roundpipe, work, gpus, self._folder, more, self.left(), steps, warm_up)
        else:
            run = measured.peer(system, work, gpus, self._folder, self.left(), PEER_SECONDS)
        self._print(dict(run, workload=name, gpus=gpus, system=system))
        self.rows.append((name, gpus, system, run))
        return run

    def _print(self, line):
        print(json.dumps(line), flush=True)
        if self._asked.lines:
            print(json.dumps(line), file=self._asked.lines, flush=True)

    def table(self):
        lines = ["| workload | GPUs | system | tokens/s | times one GPU | times the library | step, s (planned) | idle, each GPU (planned) | for | GB/s up, down |",
                 "|---|---|---|---|---|---|---|---|---|---|"]
        for name, gpus, system, run in self.rows:
            lines.append(f"| {name} | {gpus} | {system} | " + self._cells(name, gpus, system, run))
        return "\n".join(lines)

    def failed(self):
        return any("failed" in run for *_, run in self.rows)

    def _rate(self, shape, gpus, system):
        for name, of_gpus, of_system, run in self.rows:
            if (shape_of(name), of_gpus, of_system) == (shape, gpus, system) and "failed" not in run:
                return run["tokens_per_second"]

    def _cells(self, name, gpus, system, run):
        if "failed" in run:
            return f"{run['failed'][:120]} | | | | | | |"
        rate = run["tokens_per_second"]
        shape = shape_of(name)
        over = [self._rate(shape, 1, system), self._rate(shape, gpus, "roundpipe") if system == "ours" else None]
        times = " | ".join(f"{rate / other:.2f}" if other else "" for other in over)
        cells = f"{rate:,.0f} | {times} | {BATCH * LENGTH / rate:.3f}"
        if "busy" not in run:
            return f"{cells} | | | |"
        estimated = run["estimated"]
        idle = ", ".join(f"{100 * (1 - busy):.1f} ({100 * (1 - planned['busy_share']):.1f})"
                         for busy, planned in zip(run["busy"], estimated["devices"]))
        why = ", ".join(f"{reason} {100 * share:.1f}" for reason, share in reasons_of(run)[:2])
        rates = ", ".join(f"{max(link['bytes_per_second_in_use'] for link in run[way]) / 1e9:.1f}" for way in ("up", "down"))
        return f"{cells} ({estimated['step_seconds']:.3f}) | {idle} % | {why} % | {rates} |"

    def links(self):
        """What links of the machine with the most GPUs carry, as it was measured before the first plan."""
        rigs = [(gpus, run["rig"]) for _, gpus, _, run in self.rows if "rig" in run]
        if not rigs:
            return "links: no run was over"
        gpus, rig = max(rigs, key=lambda one: one[0])
        said = [f"link of GPU {i}: {link['up_gb_per_s']:.1f} up, {link['down_gb_per_s']:.1f} down, "
                f"{'both at once' if link['duplex'] else 'one way at a time'}"
                for i, link in enumerate(device["link"] for device in rig["devices"])]
        said += [f"{root['name']}, all links at once: {root['up_gb_per_s']:.1f} up, {root['down_gb_per_s']:.1f} down, "
                 f"{'both at once' if root['duplex'] else 'both together no more than that'}" for root in rig.get("roots", [])]
        return f"GB/s, {gpus} GPU(s)\n" + "\n".join(said)

    def remedies(self):
        """What binds each of ours, and what would help."""
        return "\n".join(f"{name}, {gpus} GPU(s): {remedy_of(run)}" for name, gpus, system, run in self.rows
                         if system == "ours" and "failed" not in run)


def reasons_of(run):
    """What GPUs wait for, as the trace names it: the largest share of a step that one of them does, the largest first."""
    shares = {}
    for device in run["idle"]:
        for reason, share in device.items():
            shares[reason] = max(share, shares.get(reason, 0))
    return sorted(shares.items(), key=lambda one: -one[1])


def remedy_of(run):
    if max(1 - busy for busy in run["busy"]) < LITTLE_IDLE:
        return "computing binds: --weights fp8 where GPUs multiply FP8"
    reason, share = reasons_of(run)[0]
    return f"waits {100 * share:.1f} % of a step for {REMEDIES.get(reason, reason)}"


def scaling(runs, numbers):
    for gpus in reversed(numbers):
        for shape in ("1.7b", "8b"):
            for system in ("ours", "roundpipe"):
                runs.add(shape, gpus, shared_by(shape, gpus), system)
        if gpus == numbers[-1]:
            runs.add("32b", gpus, shared_by("32b", gpus), steps=3)


def modes(runs, numbers, program):
    """Whether losses are equal and the self-test passed."""
    most, good = numbers[-1], True
    for shape in ("1.7b", "8b"):
        # of as many steps on any number of GPUs: how many there are decides the rows and the learning rates
        of_gpus = {gpus: runs.add(f"{shape}, in turn", gpus, shared_by(shape, gpus), more=STAGES, steps=4, warm_up=1) for gpus in numbers}
        good &= are_equal(shape, {gpus: run["losses"] for gpus, run in of_gpus.items() if "failed" not in run})
        runs.add(f"{shape}, in turn, one step stale", most, shared_by(shape, most), more=(*STAGES, *STALE), steps=8)
        runs.add(f"{shape}, replicas", most, shared_by(shape, most), more=REPLICAS, steps=4, warm_up=1)
    return selftest(program, runs.left()) and good


def are_equal(shape, losses):
    """Whether no two numbers of GPUs whose runs were over have other losses; says it."""
    differ = len({json.dumps(loss) for loss in losses.values()}) > 1
    gpus = ", ".join(map(str, losses))
    if differ:
        print(f"{shape}: losses DIFFER: {losses}", flush=True)
    elif len(losses) > 1:
        print(f"{shape}: losses on {gpus} GPUs are equal to the last bit", flush=True)
    else:
        print(f"{shape}: losses were not compared: runs were over on {gpus or 'no'} GPU(s) only", flush=True)
    return not differ


def selftest(program, seconds):
    """Whether it passed."""
    try:
        done = subprocess.run([program, "selftest", "--full"], capture_output=True, text=True, timeout=max(seconds, 1))
    except subprocess.TimeoutExpired as cut:
        said = (cut.stdout or b"").decode().splitlines()
        bad = [line for line in said if line.startswith("FAIL")]
        print(f"selftest --full: the time was over after {len(said)} lines, {len(bad)} of them failures", *bad, sep="\n")
        return False
    lines = [line for line in done.stdout.splitlines() if line.startswith("FAIL") or line.endswith(" failed")]
    print(f"selftest --full ended with {done.returncode}", *lines, done.stderr.strip()[-400:], sep="\n")
    return done.returncode == 0


def main():
    asked = options()
    good = True
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(asked, folder)
        try:
            if asked.what == "scaling":
                scaling(runs, asked.gpus)
            else:
                good = modes(runs, asked.gpus, asked.roundpipe)
        finally:  # where somebody had enough of it, too
            print(runs.table(), runs.links(), runs.remedies(), sep="\n\n")
    return 0 if good and not runs.failed() else 1


if __name__ == "__main__":
    sys.exit(main())
