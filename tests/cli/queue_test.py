# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that wait in line, and grids.

usage: queue_test.py ROUNDPIPE
"""
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time
import unittest

from command_line import INVALID_INPUT, ROUNDPIPE, STOPPED, CommandLine, call, unless_given

LIMIT = 300  # seconds
RUNS_FAILED = 12


def has_ended(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


class Queue(CommandLine):
    def train_long(self):
        """Begins the queue, whose first run is called so; back once that has steps. Returns whoever trains it."""
        runner = subprocess.Popen([ROUNDPIPE, "queue", "run"], stdout=subprocess.DEVNULL)
        self.addCleanup(runner.kill)
        self.addCleanup(call, "stop", self.work / "long")
        end = time.monotonic() + 120
        while not (self.work / "long/metrics.jsonl").exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        return runner

    def add(self, *more):
        usual = unless_given(more, "--model", self.model, "--max-steps", 2, "--name", "small")
        return call("queue", "add", *usual, "--data", self.data, "--devices", "cpu", *more)

    def waiting(self):
        return json.loads(call("queue", "list", "--json").stdout)

    def test_a_grid_waits_is_reordered_trained_and_compared(self):
        done = self.add("--grid", "lora.rank=2,4", "--grid", "--learning-rate=1e-3,1e-2", "--sweep", "first")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([run["number"] for run in self.waiting()], [1, 2, 3, 4])
        self.assertEqual(call("queue", "move", 4, "--to", 3).stdout, "Run 4 is number 3 of the 4 that wait.\n")
        self.assertEqual(call("queue", "move", 4, "--to", 1).stdout, "Run 4 is next.\n")
        self.assertEqual(call("queue", "remove", 2).returncode, 0)
        self.assertEqual([run["number"] for run in self.waiting()], [4, 1, 3])
        self.assertIn("first", call("queue", "list").stdout)
        done = call("queue", "run", timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        ends = [line for line in done.stdout.splitlines() if line.endswith(": finished")]
        self.assertEqual([line.split()[0] for line in ends], ["4", "1", "3"])
        results = call("queue", "results", "first").stdout
        self.assertEqual(results.count("finished"), 3)
        self.assertIn("Rank 4", results)
        self.assertEqual(self.waiting(), [])
        self.assertEqual(len(json.loads(call("runs", "list", "--json").stdout)), 3)

    def test_it_is_said_how_long_runs_take_and_when_the_queue_would_be_done(self):
        done = self.add("--grid", "lora.rank=2,4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"1 +small, Rank 2 +2 +[\d,.]+ m?s +[\d,.]+ m?s\n")
        self.assertRegex(done.stdout, r"done in about [\d,.]+ m?s, at 20")
        self.assertNotIn("not known", done.stdout)
        first, second = [run["expected_seconds"] for run in self.waiting()]
        self.assertTrue(0 < first < 60 and 0 < second < 60, (first, second))
        done = self.add("--max-steps", 0)
        self.assertIn("How long run 3 takes is not known: its steps are counted when its rows are read", done.stdout)
        self.assertIn("done in more than", done.stdout)
        done = self.add("--max-steps", 0, "--read-data")
        self.assertNotIn("run 4", done.stdout)
        self.assertEqual([run["expected_seconds"] > 0 for run in self.waiting()], [True, True, False, True])
        done = self.add("--model", self.work / "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "How long run 5 takes is not known: .*none")
        self.assertRegex(call("queue", "list").stdout, r"done in more than [\d,.]+ m?s")

    def test_what_trains_is_shown_and_nothing_is_measured_beside_it(self):
        self.add("--max-steps", 1000000, "--out", self.work / "long")
        runner = self.train_long()
        shown = call("queue", "list").stdout
        self.assertRegex(shown, r"1 +small .*cpu +\d+ of 1000000 +20\d\d-\d\d-\d\d \d\d:\d\d")
        self.assertIn("Nothing waits.", shown)
        [result] = json.loads(call("queue", "results", "--json").stdout)
        self.assertEqual((result["number"], result["state"], result["total_steps"]), (1, "running", 1000000))
        done = self.add()
        self.assertIn("run 2 takes is not known: 'small' trains on its devices now", done.stdout)
        self.assertEqual(call("queue", "remove", 2).returncode, 0)
        self.assertEqual(call("stop", self.work / "long").returncode, 0)
        runner.wait(timeout=120)
        (self.work / "long").rename(self.work / "home/roundpipe/runs/renamed")
        [result] = json.loads(call("queue", "results", "--json").stdout)
        self.assertEqual((result["state"], pathlib.Path(result["folder"]).name), ("stopped", "renamed"))

    def test_what_failed_without_a_folder_is_among_the_results(self):
        self.add("--name", "good")
        self.add("--name", "bad", "--out", self.work / "file/below")
        (self.work / "file").write_text("no folder")
        self.assertEqual(call("queue", "run", timeout=LIMIT).returncode, RUNS_FAILED)
        shown = call("queue", "results").stdout
        self.assertRegex(shown, r"1 +good .* finished")
        self.assertRegex(shown, r"2 +bad +failed\n")
        self.assertRegex(shown, r"\n2: .*file")
        self.assertLess(shown.index("good"), shown.index("bad"), "what has no losses comes last")

    def test_a_run_of_a_later_version_keeps_no_other_from_being_trained(self):
        self.add("--name", "later")
        self.add("--name", "good")
        file = self.work / "home/roundpipe/queue/queue.json"
        line = json.loads(file.read_text())
        line["waiting"][0]["run"]["gates"] = [1, 2]
        file.write_text(json.dumps(line))
        shown = call("queue", "list")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"1 +later +can't be read")
        self.assertIn("gates", shown.stdout)
        done = call("queue", "run", timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2  good: finished", done.stdout)
        [left] = self.waiting()
        self.assertEqual((left["number"], left["run"]), (1, None))
        self.assertIn("gates", left["problem"])
        self.assertEqual(json.loads(file.read_text())["waiting"][0]["run"]["gates"], [1, 2])
        line["waiting"][0]["number"] = 1e30
        file.write_text(json.dumps(line))
        self.refused(call("queue", "list"), INVALID_INPUT, "'number' is 1e+30")

    def test_a_name_breaks_no_table(self):
        self.assertEqual(self.add("--name", "two\nlines\x1b[31m").returncode, 0)
        lines = call("queue", "list").stdout.splitlines()
        self.assertEqual(len([line for line in lines if "two lines [31m" in line]), 1, lines)
        self.assertNotIn("\x1b", "".join(lines))

    def test_one_that_fails_is_named_and_the_line_goes_on(self):
        self.add("--data", self.work / "no-rows.jsonl", "--out", self.work / "bad")
        self.add("--out", self.work / "good")
        done = call("queue", "run", timeout=LIMIT)
        self.assertEqual(done.returncode, RUNS_FAILED, done.stdout + done.stderr)
        self.assertIn("1  small: failed", done.stdout)
        self.assertIn("no-rows.jsonl", done.stderr)
        self.assertIn("2  small: finished", done.stdout, done.stderr)
        self.assertTrue((self.work / "good/adapter/adapter_model.safetensors").exists())
        self.assertIn("good", call("runs", "list").stdout, "it lies elsewhere, and is listed")

    def test_the_line_pauses_after_an_error_and_goes_on_when_it_is_told(self):
        self.add("--data", self.work / "no-rows.jsonl")
        self.add("--out", self.work / "good")
        done = call("queue", "choose", "--after-error", "pause")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = call("queue", "run", timeout=LIMIT)
        self.assertEqual(done.returncode, RUNS_FAILED, done.stdout + done.stderr)
        self.assertIn("paused", done.stdout)
        self.assertEqual([run["number"] for run in self.waiting()], [2])
        paused = call("queue", "list").stdout
        self.assertIn("The queue is paused", paused)
        self.assertNotRegex(paused, r"would be done in|\d\d:\d\d\.$", "nobody knows when it goes on")
        self.assertIn("queue run", call("queue", "resume").stdout, "nobody trains it")
        self.assertNotIn("is paused", call("queue", "list").stdout)
        self.assertEqual(call("queue", "pause").returncode, 0)
        done = call("queue", "run", "--after-error", "go-on", timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(call("queue", "list").stdout, "Nothing waits.\n")

    def test_what_is_no_grid_is_refused(self):
        self.refused(self.add("--grid", "lora.rnak=1,2"), INVALID_INPUT, "rnak")
        self.refused(self.add("--grid", "lora.rank=0,2"), INVALID_INPUT, "Rank 0")
        self.refused(call("queue", "remove", 9), INVALID_INPUT, "9")
        self.refused(call("queue", "results", "nothing"), INVALID_INPUT, "nothing")
        self.refused(self.add("--grid", "version=1,2"), INVALID_INPUT, "version")
        self.assertEqual(call("queue", "results").stdout, "No run was begun yet.\n")
        self.assertEqual(self.waiting(), [])

    def test_ctrl_c_saves_what_is_trained_and_keeps_what_waits(self):
        self.add("--max-steps", 1000000, "--out", self.work / "long")
        self.add("--out", self.work / "next")
        runner = subprocess.Popen([ROUNDPIPE, "queue", "run"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(runner.stdout.close)
        self.addCleanup(runner.kill)
        end = time.monotonic() + 120
        while not (self.work / "long/metrics.jsonl").exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.refused(call("queue", "run"), INVALID_INPUT, "already")
        runner.send_signal(signal.SIGINT)
        output, _ = runner.communicate(timeout=120)
        self.assertEqual(runner.returncode, STOPPED, output)
        self.assertTrue((self.work / "long/adapter/adapter_model.safetensors").exists())
        self.assertEqual([run["number"] for run in self.waiting()], [2])

    def test_a_run_whose_runner_was_killed_keeps_its_devices(self):
        self.add("--max-steps", 1000000, "--out", self.work / "long")
        self.add("--out", self.work / "next")
        runner = self.train_long()
        runner.kill()
        runner.wait()
        second = subprocess.Popen([ROUNDPIPE, "queue", "run"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(second.kill)
        time.sleep(3)  # many rounds of the line
        self.assertEqual([run["number"] for run in self.waiting()], [2], "the first has the processor still")
        self.assertEqual(call("stop", self.work / "long").returncode, 0)
        output, _ = second.communicate(timeout=LIMIT)
        self.assertEqual(second.returncode, 0, output)
        self.assertIn("2  small: finished", output)

    def test_a_run_without_a_name_has_its_models(self):
        done = call("queue", "add", "--model", self.model, "--data", self.data, "--devices", "cpu", "--max-steps", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"1  {self.model.name}: finished", call("queue", "run", timeout=LIMIT).stdout)

    def test_a_folder_that_a_run_would_refuse_is_refused_at_once(self):
        others = self.work / "others"
        (others / "adapter").mkdir(parents=True)
        (others / "adapter" / "adapter_model.safetensors").write_text("mine")
        self.refused(self.add("--out", others), INVALID_INPUT, "was not made by a run in this folder", "Choose another folder")
        self.assertEqual(self.waiting(), [])

    def test_it_refuses_a_folder_in_the_words_of_a_run(self):
        held = self.work / "held"
        self.assertEqual(self.train(out=held).returncode, 0)
        mine = []
        for name in ("metrics.jsonl", "run.json", "status.json"):
            mine.append(self.work / f"with {name}")
            mine[-1].mkdir()
            (mine[-1] / name).write_text("mine")
        for out in (held, *mine):
            with self.subTest(out=out.name):
                run, queued = self.train(out=out), self.add("--out", out)
                self.refused(queued, INVALID_INPUT)
                self.assertEqual(queued.stderr.split("error: ")[1:], run.stderr.split("error: ")[1:])
        self.assertEqual(self.waiting(), [])

    def test_a_run_that_was_killed_with_its_runner_is_named_by_the_next(self):
        self.add("--max-steps", 1000000, "--out", self.work / "long")
        runner = self.train_long()
        runner.kill()
        runner.wait()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as run:
            run.connect(str(self.work / "long/run.socket"))
            process, _, _ = struct.unpack("3i", run.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        os.kill(process, signal.SIGKILL)
        end = time.monotonic() + 60
        while not has_ended(process):  # it holds the run until then
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        done = call("queue", "run", timeout=LIMIT)
        self.assertRegex(done.stdout, rf"1  small: interrupted after step \d+\n +`roundpipe train --continue {self.work}/long`")
        self.assertEqual(call("queue", "run", timeout=LIMIT).stdout, "", "it is said once")

    def test_the_machine_sleeps_when_the_line_is_empty(self):
        tools = self.work / "tools"
        tools.mkdir()
        (tools / "systemctl").write_text(f"#!/bin/sh\necho $@ > {self.work}/asked\n")
        (tools / "systemctl").chmod(0o755)
        self.add()
        environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
        done = call("queue", "run", "--when-done", "sleep", timeout=LIMIT, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(pathlib.Path(self.work / "asked").read_text(), "suspend\n")
        self.assertNotIn("sleeps", call("queue", "list").stdout, "it was chosen for once")


if __name__ == "__main__":
    unittest.main()
