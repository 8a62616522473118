# SPDX-License-Identifier: GPL-3.0-or-later
"""The prompts of a project, answered by `roundpipe train` as by the Studio.

usage: prompts_test.py ROUNDPIPE [unittest options]
"""
import json
import unittest

from command_line import CommandLine, call


class Prompts(CommandLine):
    def asked(self):
        lines = (self.out / "answers.jsonl").read_text().splitlines()
        return [(answer["prompt"], answer["tuned"]) for answer in map(json.loads, lines)]

    def train_project(self, *more, prompts):
        file = self.work / "project/run.json"
        (file.parent / "data").mkdir(parents=True)
        file.write_text(json.dumps({"model": {"path": str(self.model)}, "data": {"files": [str(self.data)]}}))
        (file.parent / "data/prompts.json").write_text(prompts)
        done = call("train", file, "--out", self.out, "--devices", "cpu", "--max-steps", 1, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_those_of_the_project_are_answered(self):
        self.train_project(prompts='["ash bay", "cod?"]')
        self.assertEqual(self.asked(), [("ash bay", False), ("cod?", False), ("ash bay", True), ("cod?", True)])

    def test_those_that_are_given_win(self):
        self.train_project("--sample", "den?", prompts='["ash bay"]')
        self.assertEqual(self.asked(), [("den?", False), ("den?", True)])

    def test_the_base_is_not_asked_where_other_weights_are_in_its_place(self):
        common = ("--modules-to-save", "embed_tokens", "--sample", "den?")
        done = self.train(*common)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.asked(), [("den?", False), ("den?", True)])
        done = self.train(*common, "--max-steps", 3, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("not asked", done.stderr, "it was, when the run began")
        self.assertEqual(self.asked(), [("den?", False), ("den?", True), ("den?", True)])
        first, self.out = self.out, self.work / "second"
        done = self.train("--init-adapter", first / "adapter", "--sample", "den?")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The base model was not asked", done.stderr)
        self.assertEqual(self.asked(), [("den?", True)])

    def test_broken_ones_are_a_warning(self):
        self.assertIn("prompts.json", self.train_project(prompts='{"not": "a list"}').stderr)
        self.assertFalse((self.out / "answers.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
