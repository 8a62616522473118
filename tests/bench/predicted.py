# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `roundpipe plan` predicts with what `roundpipe train` then does: step time, memory, bytes on the links.

usage: predicted.py ROUNDPIPE SHAPE(0.6b|1.7b|8b) DEVICES [train options …]     a random-weight shape
       predicted.py ROUNDPIPE RUN.json DEVICES [train options …]                a run, e.g. the demo

Prints one line a prediction: from shapes alone, then corrected by the times that the run itself measured.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading

import train_shape


def predict(roundpipe, options, cache, *more):
    done = subprocess.run([str(part) for part in [roundpipe, "plan", "--rig", "this", "--json", *options, *more]],
                          capture_output=True, text=True, env=cache)
    if done.returncode != 0:
        sys.exit(f"roundpipe plan failed ({done.returncode}): {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def bytes_per_step(trace, steps):
    """Up and down, all devices together, over the steps [2, steps - 1): the last one prefetches for no other."""
    up = down = 0
    for event in json.load(open(trace))["traceEvents"]:
        args = event.get("args", {})
        if event.get("ph") != "X" or not 2 <= args.get("step", -1) < steps - 1:
            continue
        if event["name"].startswith("upload"):
            up += args["bytes"]
        if event["name"].startswith("download"):
            down += args["bytes"]
    return up / (steps - 3), down / (steps - 3)


def lengths_of(roundpipe, run, cache):
    """What the data holds, as options of `roundpipe plan`: it asks for lengths, as it reads no data."""
    done = subprocess.run([roundpipe, "train", run, "--dry-run"], capture_output=True, text=True, env=cache)
    found = re.search(r"examples +(\d+) to train.*the longest has (\d+) tokens\ntokens +(\d+) an epoch", done.stdout)
    if not found:
        sys.exit(f"roundpipe train --dry-run said nothing of lengths: {done.stdout}{done.stderr}")
    examples, longest, tokens = map(int, found.groups())
    return ["--max-length", str(longest), "--average-length", f"{tokens / examples:.2f}"]


def stages_of(plan):
    """The planned cuts as options, so that the run has the same."""
    def sizes(*kinds):
        return ",".join(str(s["end_layer"] - s["first_layer"]) for s in plan["stages"] if s["kind"] in kinds)
    forward = sizes("forward")
    return [*(["--forward-stages", forward] if forward else []), "--backward-stages", sizes("fused", "backward")]


def off(predicted, measured):
    return f"{predicted:.4g} for {measured:.4g} ({100 * (predicted / measured - 1):+.1f} %)" if measured else f"{predicted:.4g} for 0"


def report(name, plan, measured):
    predicted = plan["predicted"]
    memory = max(row["total"] for row in plan["memory"]["devices"]) / 2**30
    print(f"{name}: step s {off(predicted['step_seconds'], measured['step'])}; "
          f"peak GiB {off(memory, measured['peak'])}; "
          f"up MB {off(sum(predicted['bytes_up']) / 1e6, measured['up'] / 1e6)}; "
          f"down MB {off(sum(predicted['bytes_down']) / 1e6, measured['down'] / 1e6)}", flush=True)


def main():
    roundpipe, what, devices, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        cache = dict(os.environ, XDG_CACHE_HOME=temporary)
        out = pathlib.Path(temporary) / "run"
        if what in train_shape.SHAPES:
            folder = pathlib.Path(temporary) / "model"
            train_shape.make_folder(what, folder)
            given = ["--model", folder, "--devices", devices, "--max-length", "2048", *options]
            data = ["--data", folder / "rows.jsonl", "--random-weights", "--train-on", "all", "--validation-fraction", "0"]
            command = [roundpipe, "train", *given, *data]
            asked = given
        else:
            command = [roundpipe, "train", what, "--devices", devices, *options]
            asked = ["--run", what, "--devices", devices, *options, *lengths_of(roundpipe, what, cache)]
        steps_options = [option for pair in zip(options[::2], options[1::2]) for option in pair
                         if pair[0] not in ("--max-steps", "--learning-rate", "--eval-every-steps")]
        asked = [part for part in asked if part not in options] + steps_options
        before = predict(roundpipe, asked, cache, "--estimated")
        stages = stages_of(before)
        command += stages
        peaks, stop = {}, threading.Event()
        watcher = threading.Thread(target=train_shape.watch_memory, args=(peaks, stop))
        if "cuda" in devices:
            watcher.start()
        done = subprocess.run([str(part) for part in [*command, "--out", out, "--quiet"]], capture_output=True, text=True,
                              env=cache)
        stop.set()
        if done.returncode != 0:
            sys.exit(f"roundpipe train failed ({done.returncode}): {done.stdout}{done.stderr}")
        lines = [json.loads(line) for line in open(out / "metrics.jsonl")]
        subprocess.run([roundpipe, "trace", "export", str(out), "--to", str(out / "trace.json")], check=True)
        up, down = bytes_per_step(out / "trace.json", len(lines))
        measured = dict(step=statistics.median(line["seconds"] for line in lines[2:]),
                        peak=max(peaks.values(), default=0) / 1024, up=up, down=down)
        print(f"{what} on {devices} {' '.join(options)}: {' '.join(stages)}, "
              f"{round(lines[-1]['tokens'] / measured['step'])} tokens/s")
        report("  estimated", before, measured)
        report("  measured ", predict(roundpipe, asked + stages, cache), measured)


if __name__ == "__main__":
    main()
