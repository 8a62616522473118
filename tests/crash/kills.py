# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills a run by SIGKILL at random moments: it always goes on, and is the run that nobody killed.

usage: kills.py ROUNDPIPE [--kills N] [--seed N] [--way lora|stale|full|full-stale]... [--steps N]
"""
import argparse
import collections
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import small_run


def stands(out):
    """What a kill has left, in a word."""
    checkpoints = out / "checkpoints"
    if not out.exists():
        return "no folder yet"
    if (out / "adapter").exists() or (out / "model").exists():
        return "the result written"
    if list(checkpoints.glob("*.part")):
        return "a checkpoint half written"
    if (checkpoints / "last").exists():
        return "a last checkpoint"
    if (checkpoints / "best").exists():
        return "the best checkpoint alone"
    return "steps and no checkpoint" if (out / "metrics.jsonl").exists() else "no step yet"


def wait_for_moment(process, out, seconds, waits_for_draft):
    """Until so many seconds have passed, then for a checkpoint that is being written where that is wanted."""
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    while waits_for_draft and process.poll() is None and not list((out / "checkpoints").glob("*.part")):
        pass


def kill_once(run, out, seconds, waits_for_draft, rng):
    resumes = ("--resume",) if out.exists() else ()
    process = run.begin(out, *resumes)
    wait_for_moment(process, out, seconds, waits_for_draft)
    if waits_for_draft:
        time.sleep(rng.random() * 0.01)
    process.kill()
    return process.wait() == 0


def go_on(run, out):
    """To the end; a run that had not made its folder begins."""
    done = run.run(out, *(("--resume",) if (out / "checkpoints").exists() else ()))
    if done.returncode != 0:
        raise AssertionError(f"--resume ended with {done.returncode}:\n{done.stderr}")


def compare(run, out, expected):
    found = small_run.losses(out)
    for step, values in expected["losses"].items():
        if found.get(step) != values:
            raise AssertionError(f"step {step}: {found.get(step)} where the whole run has {values}")
    if found.keys() != expected["losses"].keys() or small_run.weights(out) != expected["weights"]:
        raise AssertionError("the result is another one")


def test(run, kills, rng):
    whole = run.work / "whole"
    begun = time.monotonic()
    done = run.run(whole)
    seconds = time.monotonic() - begun
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    expected = {"losses": small_run.losses(whole), "weights": small_run.weights(whole)}
    table, failures = collections.Counter(), []
    for number in range(kills):
        out = run.work / "killed"
        moment, waits_for_draft = rng.random() * seconds * 1.05, number % 2 == 1
        if waits_for_draft:
            moment *= 0.8
        ended = kill_once(run, out, moment, waits_for_draft, rng)
        left = "it had ended" if ended else stands(out)
        if number % 5 == 4:  # once more, while it goes on
            kill_once(run, out, rng.random() * seconds, False, rng)
            left += ", killed twice"
        try:
            go_on(run, out)
            compare(run, out, expected)
            table[left, "goes on, the same bits"] += 1
        except (AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as failure:
            table[left, "FAILED"] += 1
            failures.append(f"kill {number} after {moment:.3f} s ({left}): {failure}")
            shutil.copytree(out, run.work / f"failed-{number}", dirs_exist_ok=True)
        shutil.rmtree(out, ignore_errors=True)
    print(f"{run.way}: {kills} kills of a run of {seconds:.1f} s and {run.steps} steps")
    for (left, how), count in sorted(table.items()):
        print(f"  {count:4}  {left}: {how}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("roundpipe", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--way", action="append", choices=small_run.WAYS)
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    failures = []
    for way in options.way or small_run.WAYS:
        rng = random.Random(f"{options.seed} {way}")
        with tempfile.TemporaryDirectory() as work:
            run = small_run.SmallRun(options.roundpipe, work, way, options.steps)
            failures += test(run, options.kills, rng)
            sys.stdout.flush()
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
