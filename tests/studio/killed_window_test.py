# SPDX-License-Identifier: GPL-3.0-or-later
"""The program, killed while it trains: the run and the line go on, and a new window shows them.

usage: killed_window_test.py ROUNDPIPE ROUNDPIPE-STUDIO DEMO
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import followed_run

ROUNDPIPE, STUDIO, DEMO = sys.argv[1:4]
LIMIT = 120  # seconds


def lines_in(file):
    return len(file.read_text().splitlines()) if file.exists() else 0


class KilledWindow(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", OMP_NUM_THREADS="1")
        for name in ("DATA", "CACHE", "CONFIG"):
            self.environment[f"XDG_{name}_HOME"] = str(self.work / name)
        self.out = self.work / "out"
        self.addCleanup(self.call, "stop", self.out)

    def call(self, *words):
        return subprocess.run([ROUNDPIPE, *map(str, words)], capture_output=True, text=True, env=self.environment)

    def begin(self, *command):
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, what, condition):
        end = time.monotonic() + LIMIT
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.1)

    def followers(self):
        return followed_run.followers(self.out)

    def steps(self):
        return lines_in(self.out / "metrics.jsonl")

    def test_its_run_goes_on_and_the_next_window_shows_it(self):
        project = self.work / "run.json"
        run = json.loads((pathlib.Path(DEMO) / "run.json").read_text())
        run["model"]["path"] = DEMO + "/model"
        for dataset in run["data"].get("datasets", [run["data"]]):
            dataset["files"] = [f"{DEMO}/{file}" for file in dataset["files"]]
        run.setdefault("duration", {})["max_steps"] = 1000000
        run.setdefault("output", {})["folder"] = str(self.out)
        run.setdefault("engine", {})["devices"] = ["cpu"]
        project.write_text(json.dumps(run))
        window = self.begin(STUDIO, project, "--autostart")
        self.wait_for("steps", lambda: self.steps() > 2)
        self.assertIn("running", self.call("runs", "list").stdout, "others wait for its devices")
        window.kill()
        window.wait()
        before = self.steps()
        self.wait_for("more steps", lambda: self.steps() > before + 2)
        self.assertEqual(self.followers(), 0)
        self.begin(STUDIO, project)
        self.wait_for("the next window", lambda: self.followers() == 1)
        self.assertEqual(self.call("stop", self.out).returncode, 0)

    def test_the_line_goes_on(self):
        self.call("queue", "add", f"{DEMO}/run.json", "--devices", "cpu", "--max-steps", 1000000, "--out", self.out)
        self.call("queue", "add", f"{DEMO}/run.json", "--devices", "cpu", "--max-steps", 2, "--name", "next")
        window = self.begin(STUDIO)
        line = self.begin(ROUNDPIPE, "queue", "run")  # as the window's Start begins it
        self.wait_for("steps", lambda: self.steps() > 2)
        window.kill()
        window.wait()
        before = self.steps()
        self.wait_for("more steps", lambda: self.steps() > before + 2)
        self.begin(STUDIO)
        self.assertEqual(self.call("stop", self.out).returncode, 0)
        self.assertEqual(line.wait(timeout=LIMIT), 0)
        states = [(run["name"], run["state"]) for run in json.loads(self.call("queue", "results", "--json").stdout)]
        self.assertEqual(sorted(state for _, state in states), ["finished", "stopped"], states)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
