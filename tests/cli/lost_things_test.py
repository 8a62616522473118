# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that go on though something is gone: what they began with, prompts that nothing has answered, and signals that
come while their program loads.

usage: lost_things_test.py ROUNDPIPE [unittest options]
"""
import json
import re
import shutil
import signal
import subprocess
import time
import unittest

import torch
from safetensors.torch import load_file

from command_line import IO, ROUNDPIPE, STOPPED, CommandLine, call


def is_blocked(pid, number):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"^SigBlk:\s*(\w+)", status.read(), re.M)[1], 16) >> (number - 1) & 1


def until(is_so, seconds=30):
    deadline = time.time() + seconds
    while not is_so():
        if time.time() > deadline:
            raise AssertionError("it never came to that")
        time.sleep(0.0005)


class LostThings(CommandLine):
    def begun_from(self, source, out, steps, *more):
        done = call("train", "--start-from", source, "--data", self.data, "--out", out, "--devices", "cpu", "--schedule",
                    "constant", "--max-steps", steps, "--save-every", 2, *more)
        self.assertEqual(done.returncode, 0, done.stderr)

    def resumed(self, out, steps, *more):
        return call("train", "--resume", "--out", out, "--max-steps", steps, *more)

    def same_tensors(self, one, other):
        one, other = load_file(one), load_file(other)
        self.assertEqual(one.keys(), other.keys())
        self.assertTrue(all(torch.equal(one[name], other[name]) for name in one))

    def test_all_weights_are_in_the_checkpoint(self):
        for gone, updates in (("the run", "synchronous"), ("the weights", "one-step-stale")):
            with self.subTest(gone):
                full = ("--method", "full", "--learning-rate", "0.001", "--updates", updates)
                source, whole, cut = (self.work / f"{name}, without {gone}" for name in ("source", "whole", "cut"))
                self.assertEqual(self.train("--method", "full", out=source).returncode, 0)
                self.begun_from(source, whole, 7, *full)
                self.begun_from(source, cut, 3, *full)
                if gone == "the run":
                    shutil.rmtree(source)
                else:
                    (source / "model" / "model.safetensors").unlink()
                before = self.contents(cut)
                dry = self.resumed(cut, 5, "--dry-run")
                self.assertEqual(dry.returncode, 0, dry.stderr)
                self.assertIn("goes on    from step 3", dry.stdout)
                self.assertEqual(self.contents(cut), before)
                for steps in (5, 7):  # the second time from a checkpoint that was written without it
                    done = self.resumed(cut, steps)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn(f"The model in '{source}/model' is gone.", done.stderr)
                self.assertEqual(self.losses(cut), self.losses(whole))
                self.same_tensors(cut / "model/model.safetensors", whole / "model/model.safetensors")
                for name in ("config.json", "tokenizer.json"):
                    self.assertEqual((cut / "model" / name).read_bytes(), (whole / "model" / name).read_bytes(), name)
                kept, printed = (json.loads((out / "checkpoints/last/state.json").read_text()) for out in (cut, whole))
                self.assertEqual(kept["fingerprint"], printed["fingerprint"])
                spec = json.loads((cut / "run.json").read_text())
                self.assertEqual(spec["model"]["path"], str(source / "model"))
                self.refused(call("train", cut / "run.json", "--out", self.work / "anew"), IO, str(source))

    def test_an_adapter_is_in_the_checkpoint(self):
        source, whole, cut = (self.work / name for name in ("source", "whole", "cut"))
        self.assertEqual(self.train("--rank", 4, out=source).returncode, 0)
        self.begun_from(source, whole, 6)
        self.begun_from(source, cut, 3)
        shutil.rmtree(source)
        for more in (("--dry-run",), ()):
            done = self.resumed(cut, 6, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.losses(cut), self.losses(whole))
        self.same_tensors(cut / "adapter/adapter_model.safetensors", whole / "adapter/adapter_model.safetensors")

    def test_prompts_that_nothing_has_answered_are_asked(self):
        command = [ROUNDPIPE, "train", "--model", self.model, "--data", self.data, "--out", self.out, "--devices", "cpu",
                   "--max-steps", "1000000", "--sample", "Hi?", "--sample", "Ho?"]
        for _ in range(10):
            shutil.rmtree(self.out, ignore_errors=True)
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.addCleanup(process.kill)
            until((self.out / "sample-prompts.json").exists)
            process.kill()
            process.wait()
            if not (self.out / "answers.jsonl").exists():
                break
        self.assertFalse((self.out / "answers.jsonl").exists())
        done = self.resumed(self.out, 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = map(json.loads, (self.out / "answers.jsonl").read_text().splitlines())
        self.assertEqual([(answer["prompt"], answer["step"]) for answer in answers],
                         [("Hi?", 0), ("Ho?", 0), ("Hi?", 2), ("Ho?", 2)])
        (self.out / "sample-prompts.json").write_text("[[")
        done = self.resumed(self.out, 3)
        self.assertEqual(done.returncode, 0, "broken ones are no reason not to train: " + done.stderr)
        self.assertIn("is not a JSON list of texts", done.stderr)
        self.assertEqual(self.train(out=self.work / "other").returncode, 0)
        self.assertFalse((self.work / "other/sample-prompts.json").exists())

    def test_a_signal_while_the_program_loads_stops_in_order(self):
        self.assertEqual(self.train("--max-steps", 2).returncode, 0)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            for seconds in (0, 0.1, 0.3):
                with self.subTest(number.name, seconds=seconds):
                    process = subprocess.Popen([ROUNDPIPE, "train", "--resume", "--out", self.out, "--max-steps", "1000000"],
                                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                    self.addCleanup(process.kill)
                    until(lambda: is_blocked(process.pid, number))
                    time.sleep(seconds)
                    process.send_signal(number)
                    output, errors = process.communicate(timeout=120)
                    self.assertEqual(process.returncode, STOPPED, output + errors)
        done = self.resumed(self.out, 1000, "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)

    # Nobody waits for what they read.
    def test_a_signal_ends_other_commands_at_once(self):
        for arguments in (["train", "--dry-run", "--model", self.model, "--data", self.data, "--out", self.out], ["selftest"]):
            process = subprocess.Popen([ROUNDPIPE, *map(str, arguments)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(0.05)
            process.terminate()
            self.assertIn(process.wait(timeout=60), (-signal.SIGTERM, 0))


if __name__ == "__main__":
    unittest.main()
