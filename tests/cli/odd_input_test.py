# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe with input that is odd but allowed, or wrong in a way of its own.

usage: odd_input_test.py ROUNDPIPE DEMO [unittest options]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROUNDPIPE, DEMO = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
MODEL, ROWS = DEMO / "model", DEMO / "data/instructions.jsonl"
INVALID_INPUT, IO_ERROR = 2, 4


class OddInput(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder.name + "/cache", XDG_DATA_HOME=folder.name + "/home")

    def call(self, *arguments):
        return subprocess.run([ROUNDPIPE, *arguments], capture_output=True, text=True, errors="surrogateescape", cwd=self.work,
                              env=self.environment)

    def done(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_a_mistyped_command_or_option_is_told_from_the_right_one(self):
        for line, meant in ((("trian",), "'train'"), (("runs", "lst"), "'list'"), (("hub", "serach", "qwen"), "'search'"),
                            (("plan", "--model", MODEL, "--microbatchs", "3"), "'--microbatches'")):
            refused = self.call(*line)
            self.assertEqual(refused.returncode, INVALID_INPUT)
            self.assertIn(f"Did you mean {meant}?", refused.stderr)
        self.assertNotIn("Did you mean", self.call("zzzzzzzz").stderr)

    def test_an_output_that_is_full_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([ROUNDPIPE, "settings"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, IO_ERROR)
        self.assertIn("No space left", done.stderr)

    def test_what_is_no_file_is_not_replaced_by_an_output(self):
        link, pipe = self.work / "link.svg", self.work / "pipe"
        link.symlink_to(self.work / "elsewhere.svg")
        os.mkfifo(pipe)
        for option, target in (("--svg", link), ("--trace", pipe), ("--save-rig", link)):
            refused = self.call("plan", "--model", MODEL, "--rig", "2x4090", option, target)
            self.assertEqual(refused.returncode, INVALID_INPUT, refused.stderr)
            self.assertIn("was left as it is", refused.stderr)
        self.assertTrue(link.is_symlink() and pipe.is_fifo())

    def test_a_number_that_is_none_is_named_as_it_was_given(self):
        refused = self.call("train", "--model", MODEL, "--data", ROWS, "--out", self.work / "run", "--learning-rate", "nan")
        self.assertEqual(refused.returncode, INVALID_INPUT)
        self.assertIn("'optimizer.learning_rate' is nan", refused.stderr)

    # A name on Linux is bytes; these are Latin-1.
    def test_a_path_that_is_no_utf8_is_trained_from_and_resumed(self):
        folder = os.fsdecode(b"Caf\xe9")
        os.mkdir(self.work / folder)
        shutil.copy(ROWS, self.work / folder / "rows.jsonl")
        run = ["train", "--model", MODEL, "--data", f"{folder}/rows.jsonl", "--out", f"{folder}/run", "--devices", "cpu"]
        self.done(*run, "--max-steps", "1")
        with open(self.work / folder / "run/run.json", encoding="utf-8") as file:
            spec = json.load(file)
        self.assertIn("Caf\U0010ffe9/rows.jsonl", spec["data"]["datasets"][0]["files"][0])
        self.done("train", f"{folder}/run/run.json", "--resume", "--max-steps", "2", "--sample", os.fsdecode(b"Caf\xe9?"))
        self.assertEqual(len((self.work / folder / "run/metrics.jsonl").read_text().splitlines()), 2)
        self.done("runs", "list", "--json")
        self.done("data", "inspect", f"{folder}/rows.jsonl", "--json")
        self.done("data", "stats", "--model", MODEL, f"{folder}/rows.jsonl", "--json")
        self.done("plan", "--model", MODEL, "--rig", "2xcpu,ram=16", "--json")

    def test_a_path_that_is_no_utf8_and_not_there_is_named(self):
        result = self.call("train", "--model", MODEL, "--data", os.fsdecode(b"Caf\xe9.jsonl"), "--out", "run", "--devices", "cpu")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn(os.fsdecode(b"Caf\xe9.jsonl"), result.stderr)
        self.assertNotIn("json.exception", result.stderr)

    def test_a_file_may_stand_between_options(self):
        for options in (["--model", MODEL, ROWS, "--row", "2"], [ROWS, "--model", MODEL, "--row", "2"],
                        ["--row", "2", "--max-length", "64", ROWS, "--model", MODEL]):
            self.assertIn("line 2", self.done("data", "lens", *options).stdout)

    def test_a_row_that_is_no_row_is_refused_in_few_words(self):
        result = self.call("data", "lens", ROWS, "--model", MODEL, "--row", "0")
        self.assertEqual(result.returncode, INVALID_INPUT)
        self.assertLess(len(result.stdout + result.stderr), 200)

    def test_one_fused_stage_can_be_given(self):
        plan = ["plan", "--model", MODEL, "--rig", "1xcpu,ram=16", "--json"]
        given = json.loads(self.done(*plan, "--backward-stages", "12").stdout)
        self.assertEqual([(stage["kind"], stage["first_layer"], stage["end_layer"]) for stage in given["stages"]],
                         [("fused", 0, 12)])
        self.done("train", "--model", MODEL, "--data", ROWS, "--out", "run", "--devices", "cpu", "--max-steps", "1",
                  "--backward-stages", "12")
        self.assertEqual(self.call(*plan, "--forward-stages", "6").returncode, INVALID_INPUT)

    def test_a_folder_without_a_timeline_says_why(self):
        for name, words in (("none", "--no-save-trace"), ("old", "Perfetto")):
            (self.work / name).mkdir()
            if name == "old":
                (self.work / name / "trace.json").write_text("{}")
            result = self.call("trace", "info", name)
            self.assertEqual(result.returncode, INVALID_INPUT)
            self.assertIn("has no trace.rptrace", result.stderr)
            self.assertIn(words, result.stderr)


unittest.main()
