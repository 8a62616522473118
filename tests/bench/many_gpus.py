# SPDX-License-Identifier: GPL-3.0-or-later
"""The same step on one GPU and on all of them: ours, its modes, and the method's public Python library.

usage: many_gpus.py ROUNDPIPE scaling|modes [--gpus 1,2,4] [--minutes 9] [--lines FILE]
    scaling   1.7B and 8B shapes, LoRA, 32 sequences of 2,048 tokens in 8 microbatches: ours, then the library
    modes     the same on the most GPUs: stages in turn, synchronous and one step stale, and replicas; losses on each
              number of GPUs to the last bit; a 32B shape; roundpipe selftest --full

Numbers of GPUs divide the step's 8 microbatches. A JSON line a run, and a table at the end. What cannot begin in time is
left out, and said. Ends with 1 where a run or the self-test failed, or losses differ. The library is installed as
peers/peer.py says.
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

    def add(self, name, gpus, work, system="ours", more=(), steps=10):
        if self.left() < 20:
            run = dict(failed="left out: the time was over")
        elif system == "ours":
            run = measured.ours(self._asked.roundpipe, work, gpus, self._folder, more, self.left(), steps)
        else:
            run = measured.peer(system, work, gpus, self._folder, self.left())
        self._print(dict(run, workload=name, gpus=gpus, system=system))
        self.rows.append((name, gpus, system, run))
        return run

    def _print(self, line):
        print(json.dumps(line), flush=True)
        if self._asked.lines:
            print(json.dumps(line), file=self._asked.lines, flush=True)

    def table(self):
        lines = ["| workload | GPUs | system | tokens/s | times one GPU | step, s (estimated) | busy | bubble, planned | idle for | GB/s up, down |",
                 "|---|---|---|---|---|---|---|---|---|---|"]
        alone = {(shape_of(name), system): run["tokens_per_second"] for name, gpus, system, run in self.rows if gpus == 1 and "failed" not in run}
        for name, gpus, system, run in self.rows:
            lines.append(f"| {name} | {gpus} | {system} | " + self._cells(run, alone.get((shape_of(name), system))))
        return "\n".join(lines)

    def failed(self):
        return any("failed" in run for *_, run in self.rows)

    @staticmethod
    def _cells(run, alone):
        if "failed" in run:
            return f"{run['failed'].splitlines()[-1][:80]} | | | | | | |"
        step = BATCH * LENGTH / run["tokens_per_second"]
        times = f"{run['tokens_per_second'] / alone:.2f}" if alone else ""
        cells = f"{run['tokens_per_second']:,.0f} | {times} | {step:.3f}"
        if "busy" not in run:
            return f"{cells} | | | | |"
        estimated = run["estimated"]
        busy = ", ".join(f"{100 * share:.1f}" for share in run["busy"])
        reasons = {}
        for device in run["idle"]:
            for reason, share in device.items():
                reasons[reason] = max(share, reasons.get(reason, 0))
        why = ", ".join(f"{reason} {100 * share:.1f} %" for reason, share in sorted(reasons.items(), key=lambda r: -r[1])[:2])
        rates = ", ".join(f"{max(link['bytes_per_second_in_use'] for link in run[way]) / 1e9:.1f}" for way in ("up", "down"))
        return (f"{cells} ({estimated['step_seconds']:.3f}) | {busy} % | {100 * estimated['bubble_share']:.1f} % | {why} | {rates} |")


def scaling(runs, numbers):
    for shape in ("1.7b", "8b"):
        for gpus in numbers:
            runs.add(shape, gpus, shared_by(shape, gpus))
    for gpus in reversed(numbers):  # most GPUs first, as the library takes minutes on one
        for shape in ("1.7b", "8b"):
            runs.add(shape, gpus, shared_by(shape, gpus), "roundpipe")


def modes(runs, numbers, program):
    """Whether losses are equal and the self-test passed."""
    most, good = numbers[-1], True
    for shape in ("1.7b", "8b"):
        of_gpus = {gpus: runs.add(f"{shape}, in turn", gpus, shared_by(shape, gpus), more=STAGES, steps=6) for gpus in numbers}
        good &= are_equal(shape, {gpus: run["losses"] for gpus, run in of_gpus.items() if "failed" not in run})
        runs.add(f"{shape}, in turn, one step stale", most, shared_by(shape, most), more=(*STAGES, *STALE), steps=8)
        runs.add(f"{shape}, replicas", most, shared_by(shape, most), more=REPLICAS, steps=8)
    runs.add("32b", most, shared_by("32b", most), steps=3)
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
            print(runs.table())
    return 0 if good and not runs.failed() else 1


if __name__ == "__main__":
    sys.exit(main())
