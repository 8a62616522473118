# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of ours or of another program, while the GPUs' clock, power and memory are watched; what it measured as a dict."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import workloads

HERE = pathlib.Path(__file__).resolve().parent
BF16_PEAK = 989e12  # FLOP/s of an H100 or H200, fp32 accumulation, by its data sheet


class Watch:
    """What nvidia-smi says of the GPUs every half second, until the run is over."""

    def __enter__(self):
        self._lines, self._over = [], threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _look(self):
        asked = ["nvidia-smi", "--query-gpu=memory.used,power.draw,clocks.sm", "--format=csv,noheader,nounits"]
        while not self._over.wait(0.5):
            try:
                rows = subprocess.run(asked, capture_output=True, text=True).stdout.strip().splitlines()
                self._lines.append([[float(value) for value in row.split(",")] for row in rows])
            except (OSError, ValueError):  # no such program, or a figure that it has not
                return

    def summary(self):
        """The most memory, and the medians of power and clock over the busier half of the time, of the GPU with the most."""
        looks = [max(look, key=lambda gpu: gpu[0]) for look in self._lines if look]
        if not looks:
            return {}
        busy = sorted(looks, key=lambda gpu: gpu[1])[len(looks) // 2:]
        return dict(used_gib=round(max(look[0] for look in looks) / 1024, 2),
                    watts=round(statistics.median(gpu[1] for gpu in busy)), mhz=round(statistics.median(gpu[2] for gpu in busy)))


RIGS = tempfile.TemporaryDirectory()  # what our runs measured of the machine, so that each need not do it again


def call(command, gpus, seconds):
    visible = dict(os.environ, CUDA_VISIBLE_DEVICES=",".join(str(gpu) for gpu in range(gpus)))
    with tempfile.TemporaryDirectory() as cache, Watch() as watch:
        visible["XDG_CACHE_HOME"] = cache  # no plan goes by times of an earlier run
        profiles = pathlib.Path(cache) / "roundpipe" / "profiles"
        profiles.mkdir(parents=True)
        (profiles / "rigs").symlink_to(RIGS.name)
        begun = time.monotonic()
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds, env=visible)
        except subprocess.TimeoutExpired:
            return dict(failed=f"not over after {seconds:.0f} s")
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        return dict(failed=said_of(done.stderr or done.stdout))
    return dict(json.loads(lines[-1]), **watch.summary(), whole_seconds=round(time.monotonic() - begun, 1))


def said_of(text):
    """The line in which a program said what was wrong: ours with an error and what to do after it, Python's its last."""
    lines = text.strip().splitlines() or ["it said nothing"]
    errors = [line for line in lines if line.startswith("error: ")]
    is_traceback = any(line.startswith("Traceback") for line in lines)
    return (errors[0] if errors else lines[-1] if is_traceback else lines[0])[:400]


def spread(seconds):
    """How far the middle half of the steps lies apart, as a part of the median."""
    if len(seconds) < 4:
        return 0.0
    low, middle, high = statistics.quantiles(seconds, n=4)
    return (high - low) / middle


def ours(program, work, gpus, folder, more=(), seconds=300, steps=None, warm_up=2):
    limit = f"@{work.memory}" if work.memory else ""
    sequences = work.batch // work.microbatches
    command = [program, "bench", "--random-weights", "--model", workloads.write_config(work.shape, folder),
               "--method", work.method, "--max-length", work.length, "--microbatch-size", sequences,
               "--microbatches", work.microbatches * gpus, "--devices", ",".join(f"cuda:{gpu}{limit}" for gpu in range(gpus)),
               "--steps", steps or work.steps, "--warm-up", warm_up, *(["--rank", workloads.RANK] if work.method == "lora" else []), *work.ours, *more]
    run = call(command, gpus, seconds)
    if "failed" in run:
        return run
    # of all steps: one step stale, those of several GPUs may end in pairs, and the median is one of a pair
    rate = run["tokens_per_second"]
    flops = run["flops_per_second"]
    return dict(
        tokens_per_second=rate, step_seconds=[round(s, 4) for s in run["steps_seconds"]],
        peak_bytes=[device["peak_bytes"] for device in run["devices"]],
        busy=[round(device["busy_share"], 4) for device in run["devices"]],
        bubble=[round(device["bubble_share"], 4) for device in run["devices"]],
        idle=[device["idle_shares"] for device in run["devices"]],
        up=[device["up"] for device in run["devices"]], down=[device["down"] for device in run["devices"]],
        estimated=run["estimated"], rig=run["rig"], replicas=run["replicas"], updates=run["updates"], losses=run["losses"],
        stages=[run["forward_stages"], run["backward_stages"]],
        # a token's operations are the shape's, so the other programs' share of the peak follows from ours
        flops_per_token=flops["needed"] / run["tokens_per_second"], hfu=flops["with_recompute"] / BF16_PEAK / gpus,
        **{key: run[key] for key in ("used_gib", "watts", "mhz", "whole_seconds") if key in run})


def peer(system, work, gpus, folder, seconds=300, of_steps=40):
    microbatches, more = work.peers[system]
    command = [sys.executable, HERE / "peer.py", system, workloads.write_config(work.shape, folder), "--method", work.method,
               "--rank", workloads.RANK, "--batch", work.batch * gpus, "--length", work.length,
               "--microbatches", microbatches * gpus, "--seconds", of_steps, *more]
    return call(command, gpus, seconds)
