# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs for long stays as it is: its memory flat, no event lost, the window opened and closed beside it.

usage: soak.py ROUNDPIPE STUDIO DEMO train|simulate|windows [--minutes N] [--windows N]
    train: the demo on two CPU workers. simulate: the window with the simulated engine, without a display.
    windows: as `train`, while the window is opened on the run and killed so many times.
Prints a line a minute and ends with 1 where memory grew by more than a tenth and 32 MiB after its first quarter, or
where an event was dropped. What the window's timeline keeps has a budget of its own, which `simulate` makes small, so
that it is used up in the first quarter.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "studio"))
import followed_run  # noqa: E402

MIB = 2**20
GROWTH = 1.1  # of what the first quarter ended with
LEAST = 32 * MIB
STEPS = 10**9
TIMELINE_MIB = 64  # the least that the window takes
LIMIT = 120  # seconds until a program is there
STOPPED = 130  # the exit code of a run that Ctrl-C has stopped and saved


def memory(process):
    """Of its own, in bytes: files that are mapped come and go as the kernel likes."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status).group(1)) * 1024


class Soak:
    def __init__(self, options, work):
        self.options, self.work, self.out = options, work, work / "out"
        self.environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", OMP_NUM_THREADS="1")
        for name in ("DATA", "CACHE", "CONFIG"):
            self.environment[f"XDG_{name}_HOME"] = str(work / name)

    def begin(self, *command):
        return subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, env=self.environment)

    def call(self, *words):
        return subprocess.run([self.options.roundpipe, *map(str, words)], capture_output=True, text=True,
                              env=self.environment)

    def project(self):
        run = json.loads((self.options.demo / "run.json").read_text())
        run["model"]["path"] = str(self.options.demo / "model")
        for dataset in run["data"].get("datasets", [run["data"]]):
            dataset["files"] = [str(self.options.demo / file) for file in dataset["files"]]
        run.setdefault("duration", {})["max_steps"] = STEPS
        run.setdefault("output", {})["folder"] = str(self.out)
        run.setdefault("engine", {})["devices"] = ["cpu:2"]
        file = self.work / "run.json"
        file.write_text(json.dumps(run))
        return file

    def steps(self):
        file = self.out / "metrics.jsonl"
        if not file.exists():
            return 0
        with file.open("rb") as lines:
            return sum(1 for _ in lines)

    def watch(self, process, meanwhile=lambda: time.sleep(1)):
        """Its memory, second by second, for so many minutes."""
        begun, told, sizes = time.monotonic(), 0, []
        while time.monotonic() - begun < self.options.minutes * 60:
            if process.poll() is not None:
                raise SystemExit(f"it ended by itself with {process.returncode}:\n{process.stderr.read()}")
            sizes.append(memory(process.pid))
            minutes = int((time.monotonic() - begun) / 60)
            if minutes > told:
                told = minutes
                print(f"{minutes:4} min {sizes[-1] / MIB:9.1f} MiB {self.steps():9} steps", flush=True)
            meanwhile()
        return sizes

    def judge(self, sizes):
        first, last = max(sizes[: max(1, len(sizes) // 4)]), sizes[-1]
        grew = last > first * GROWTH and last > first + LEAST
        print(f"memory: at most {first / MIB:.1f} MiB in the first quarter, {max(sizes) / MIB:.1f} in all, "
              f"{last / MIB:.1f} at the end: {'GROWS' if grew else 'flat'}")
        return not grew

    def train(self, meanwhile=lambda: time.sleep(1)):
        process = self.begin(self.options.roundpipe, "train", self.project())
        end = time.monotonic() + LIMIT
        while self.steps() == 0:
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"no step came:\n{process.stderr.read()}")
            time.sleep(0.2)
        sizes = self.watch(process, meanwhile)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LIMIT)
        print(f"ended with {process.returncode} after {self.steps()} steps")
        flat = self.judge(sizes)
        lost = re.search(r"[^\n]*(dropped|lost)[^\n]*", errors + self.call("trace", "info", self.out).stdout)
        print(f"events: {lost.group(0).strip() if lost else 'none lost'}")
        return flat and process.returncode == STOPPED and not lost

    def simulate(self):
        settings = self.work / "CONFIG" / "roundpipe" / "studio.ini"
        settings.parent.mkdir(parents=True)
        settings.write_text(f"[timeline]\nbudget_mib={TIMELINE_MIB}\n")
        process = self.begin(self.options.studio, "--simulate", "--rig", "8x4090", "--autostart", self.project())
        time.sleep(10)
        sizes = self.watch(process)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        return self.judge(sizes)

    def windows(self):
        done, begun = 0, time.monotonic()

        def open_and_close():
            nonlocal done
            if done == self.options.windows:
                self.options.minutes = 0
                return
            window = self.begin(self.options.studio, self.project())
            end = time.monotonic() + LIMIT
            while followed_run.followers(self.out) == 0:
                if window.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"window {done} does not look at the run")
                time.sleep(0.1)
            time.sleep(0.5)  # so that it is filled
            window.kill()  # asked to end, it would stop the run
            window.communicate(timeout=LIMIT)
            done += 1

        whole = self.train(open_and_close)
        print(f"{done} windows in {time.monotonic() - begun:.0f} s")
        return whole and done == self.options.windows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("roundpipe", type=pathlib.Path)
    parser.add_argument("studio", type=pathlib.Path)
    parser.add_argument("demo", type=lambda text: pathlib.Path(text).absolute())
    parser.add_argument("way", choices=("train", "simulate", "windows"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--windows", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return 0 if getattr(Soak(options, pathlib.Path(folder)), options.way)() else 1


if __name__ == "__main__":
    sys.exit(main())
