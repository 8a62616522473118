# SPDX-License-Identifier: GPL-3.0-or-later
"""The comparison compares: a program with itself is equal, one flipped digit is found and named, a reason lets it pass.

usage: self_test.py ROUNDPIPE [unittest options]
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROUNDPIPE = sys.argv.pop(1)


class TwoBuilds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)

    def flipper(self, place, pattern):
        """A program that does what ROUNDPIPE does, but for one bit."""
        program = self.work / "flipped"
        words = [sys.executable, "-B", str(HERE / "digit_flipper.py"), place, pattern, ROUNDPIPE]
        program.write_text(f"#!/bin/sh\nexec {shlex.join(words)} \"$@\"\n")
        program.chmod(0o755)
        return program

    def compare(self, after, *options):
        return self.run_script(ROUNDPIPE, after, "--quick", *options)

    def run_script(self, *words):
        done = subprocess.run([sys.executable, "-B", str(HERE / "two_builds.py"), *map(str, words)],
                              capture_output=True, text=True)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def finds(self, place, pattern, only, *words):
        done = self.compare(self.flipper(place, pattern), "--only", only)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in ("DIFFERENT  " + only, *words):
            self.assertIn(word, done.stdout)
        return done.stdout

    def allow(self, **entry):
        path = self.work / "allowed.json"
        path.write_text(json.dumps([entry]))
        return path

    def test_a_program_equals_itself(self):
        done = self.compare(ROUNDPIPE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for subject in ("plans, quick", "rows, quick", "losses, quick"):
            self.assertIn(subject, done.stdout)

    def test_the_last_digit_of_a_predicted_time_is_found(self):
        shown = self.finds("output", r'"step_seconds": [0-9.]+', "plans, quick: the demo's model", "-predicted.step_seconds = ")
        times = [line.split(" = ")[1] for line in shown.splitlines() if "predicted.step_seconds = " in line]
        self.assertEqual(len(times), 2)
        self.assertEqual(times[0][:-1], times[1][:-1])

    def test_a_token_and_a_mask_are_found(self):
        self.finds("output", r'"id":\d+', "rows, quick: ids and masks of the demo", "-0.tokens.0.id = ")
        self.finds("output", r'\d trained', "rows, quick: dry run of the demo")

    def test_the_last_digit_of_a_loss_is_found(self):
        self.finds("run/metrics.jsonl", r'"loss":[0-9.]+', "losses, quick: two rounds", "(run/metrics.jsonl)", "-0.loss = ")

    def test_a_bit_of_an_adapter_is_found(self):
        self.finds("run/adapter/adapter_model.safetensors", r"(?s)\A.*\Z", "losses, quick: two rounds",
                   "(run/adapter/adapter_model.safetensors)")

    def test_an_expected_difference_needs_a_reason_and_covers_nothing_else(self):
        after, only = self.flipper("output", r'"step_seconds": [0-9.]+'), ("--only", "plans, quick: the demo's model")
        key = dict(case="plans*", output="plan.out", key="predicted.step_seconds")
        done = self.compare(after, *only, "--allow", self.allow(**key, reason="times are worked out anew"))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("expected in 1 outputs (predicted.step_seconds): times are worked out anew", done.stdout)
        pattern = self.allow(pattern=r"^predicted\.step_seconds = .*$", reason="the same by a regular expression")
        self.assertEqual(self.compare(after, *only, "--allow", pattern).returncode, 0)
        for other in (key | dict(key="predicted.bubble_share"), key | dict(case="rows*"), key | dict(output="plan.err")):
            self.assertEqual(self.compare(after, *only, "--allow", self.allow(**other, reason="another")).returncode, 1)

    def test_an_entry_that_is_no_expected_difference_is_refused(self):
        for wrong, word in ((dict(key="a"), "reason"), (dict(key="a", reason="both", pattern="x"), "key or a pattern"),
                            (dict(reason="neither"), "key or a pattern"), (dict(reason="x", keys="y"), "'keys'"),
                            (dict(reason="x", pattern="("), "entry 1"), (dict(reason="x", key=1), "no text")):
            done = self.compare(ROUNDPIPE, "--allow", self.allow(**wrong))
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)

    def test_what_cannot_be_compared_is_no_success(self):
        broken = self.work / "broken"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        self.assertEqual(self.compare(broken, "--only", "plans").returncode, 1)
        done = self.run_script(broken, ROUNDPIPE, "--quick", "--only", "plans")
        self.assertEqual(done.returncode, 1)
        self.assertIn("CANNOT COMPARE", done.stdout)
        self.assertEqual(self.compare(ROUNDPIPE, "--only", "nothing").returncode, 1)


unittest.main()
