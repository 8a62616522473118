# SPDX-License-Identifier: GPL-3.0-or-later
"""Ours and what people would otherwise take, in turns on the same machine; a JSON line a run, and a table at the end.

usage: compare.py ROUNDPIPE [WORKLOAD ...] [--systems roundpipe,liger,hf] [--gpus N] [--turns N] [--minutes M] [--lines FILE]

Workloads are named in workloads.py; without any, 8b and 1.7b are run. What cannot begin within --minutes is left out, and
said. A figure is the median of a system's turns, a step's time that of the steps of all of them.
"""
import argparse
import json
import statistics
import tempfile
import time

import measured
from workloads import WORKLOADS


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("roundpipe")
    parser.add_argument("workloads", nargs="*", default=["8b", "1.7b"])
    parser.add_argument("--systems", default="roundpipe,liger")
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--lines", help="where the JSON lines go, too")
    return parser.parse_args()


def tokens_an_upload(work, system):
    """How many tokens the weights serve that travel: all of a step, on each GPU; nothing travels where memory is not limited."""
    return f"{work.batch * work.length:,}" if system == "roundpipe" or (system == "ours" and work.memory) else "they stay"


def row(name, system, runs, gpus, best_peer, flops_per_token):
    work = WORKLOADS[name]
    good = [run for run in runs if "failed" not in run]
    if not good:
        return f"| {name} | {system} | {runs[0]['failed'].splitlines()[-1][:60] if runs else 'left out'} | | | | | | |"
    seconds = [s for run in good for s in run["step_seconds"]]
    rate = statistics.median(run["tokens_per_second"] for run in good)
    ratio = f"{rate / best_peer:.2f}" if best_peer and system == "ours" else ""
    shares = [rate * flops_per_token / measured.BF16_PEAK / gpus] if flops_per_token else []
    shares += [statistics.median(run["hfu"] for run in good)] if system == "ours" else []
    share = ", ".join(f"{100 * one:.1f} %" for one in shares)
    peak = max(max(run["peak_bytes"]) for run in good) / 2**30
    power = f"{statistics.median(run.get('watts', 0) for run in good):.0f} W, {statistics.median(run.get('mhz', 0) for run in good):.0f} MHz"
    return (f"| {name}, {work.batch} x {work.length:,} | {system} | {tokens_an_upload(work, system)} | {rate:,.0f} | {ratio} | {statistics.median(seconds):.3f} ± {100 * measured.spread(seconds):.1f} % "
            f"| {share} | {peak:.1f} | {power} |")


def table(results, gpus):
    lines = ["| workload | system | tokens an upload | tokens/s | ours over the best | step, s | MFU, HFU (of 989 TFLOP/s, fp32 sums) | GiB | power, clock |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name, systems in results.items():
        flops = next((run["flops_per_token"] for run in systems["ours"] if "failed" not in run), None)
        rates = [statistics.median(run["tokens_per_second"] for run in runs if "failed" not in run)
                 for system, runs in systems.items() if system != "ours" and any("failed" not in run for run in runs)]
        lines += [row(name, system, runs, gpus, max(rates, default=None), flops) for system, runs in systems.items()]
    return "\n".join(lines)


def main():
    asked = options()
    end = time.monotonic() + 60 * asked.minutes
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.workloads:
            work = WORKLOADS[name]
            systems = ["ours", *(system for system in asked.systems.split(",") if system in work.peers)]
            if asked.gpus > 1:  # the others train on one GPU
                systems = [system for system in systems if system in ("ours", "roundpipe")]
            results[name] = {system: [] for system in systems}
            for turn in range(asked.turns):
                for system in systems:
                    left = end - time.monotonic()
                    if left < 20:
                        run = dict(failed="left out: the time was over")
                    elif system == "ours":
                        run = measured.ours(asked.roundpipe, work, asked.gpus, folder, seconds=left)
                    else:
                        run = measured.peer(system, work, asked.gpus, folder, seconds=left)
                    results[name][system].append(run)
                    line = json.dumps(dict(workload=name, system=system, turn=turn, gpus=asked.gpus, **{k: v for k, v in run.items() if k != "system"}))
                    print(line, flush=True)
                    if asked.lines:
                        with open(asked.lines, "a") as file:
                            file.write(line + "\n")
    print(table(results, asked.gpus))


if __name__ == "__main__":
    main()
