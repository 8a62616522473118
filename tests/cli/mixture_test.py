# SPDX-License-Identifier: GPL-3.0-or-later
"""Several datasets in one run, as a script sees them: shares, the report, resuming, names with commas.

usage: mixture_test.py ROUNDPIPE [unittest options]
"""
import json
import pathlib
import re
import unittest

from command_line import INVALID_INPUT, CommandLine, call


class Mixtures(CommandLine):
    def setUp(self):
        super().setUp()
        self.mine = self.rows("mine.jsonl", 40)
        self.general = self.work / "general.csv"
        self.general.write_text("question,answer\n" + "".join(f"why {i},because {i}\n" for i in range(30)))
        self.columns = "columns=prompt=question,completion=answer,format=completion"
        self.common = ("--validation-fraction", 0, "--min-trained-share", 0)

    def rows(self, name, count):
        path = self.work / name
        path.write_text("".join(
            json.dumps({"messages": [{"role": "user", "content": f"ask {i}"}, {"role": "assistant", "content": f"say {i}"}]}) + "\n"
            for i in range(count)))
        return path

    def mixture(self, *more, first="", second="", out=None, devices="cpu"):
        return call("train", "--model", self.model, "--data", f"{self.mine}{first}", "--data", f"{self.general},{self.columns}{second}",
                    "--devices", devices, "--out", out or self.out, *self.common, *more)

    def test_a_dry_run_says_what_an_epoch_takes_of_each(self):
        done = self.mixture("--dry-run", first=",weight=3", second=",weight=1,max-rows=20")
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = re.findall(r"dataset \d  (\S+): (\d+) draws of (\d+) examples an epoch, ([\d.]+) %", done.stdout)
        self.assertEqual(drawn, [("mine.jsonl", "45", "40", "75.0"), ("general.csv", "15", "20", "25.0")])
        self.assertRegex(done.stdout, r"subset +10 more could be trained on")
        self.assertNotIn("dataset 1", self.train("--dry-run", "--min-trained-share", 0).stdout)

    def test_stats_report_each_and_all(self):
        done = call("data", "stats", "--json", "--model", self.model, "--data", self.mine, "--data", f"{self.general},{self.columns}")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual([part["rows"] for part in report["datasets"]], [40, 30])
        self.assertEqual([pathlib.Path(part["files"][0]).name for part in report["datasets"]], ["mine.jsonl", "general.csv"])
        for key in ("rows", "used", "training", "validation", "tokens", "trained"):
            self.assertEqual(report[key], sum(part[key] for part in report["datasets"]), key)
        text = call("data", "stats", "--model", self.model, "--data", self.mine, "--data", f"{self.general},{self.columns}").stdout
        self.assertIn("Datasets", text)
        self.refused(call("data", "stats", self.mine, "--data", self.general, "--model", self.model), INVALID_INPUT, "--data")

    def test_a_resumed_mixture_equals_the_whole_one(self):
        common = ("--save-every", 2, "--dropout", 0.1, "--schedule", "constant", "--tokens-per-step", 200, "--packing", "best-fit")
        shares = {"first": ",epochs=0.4", "second": ",rows=50"}
        whole, cut = self.work / "whole", self.work / "cut"
        for out, steps in ((whole, 14), (cut, 5)):
            done = self.mixture(*common, "--max-steps", steps, out=out, **shares)
            self.assertEqual(done.returncode, 0, done.stderr)
        done = call("train", cut / "run.json", "--resume", "--max-steps", 14)
        self.assertEqual(done.returncode, 0, done.stderr)
        losses = [[json.loads(line)["loss"] for line in (out / "metrics.jsonl").read_text().splitlines()] for out in (cut, whole)]
        self.assertEqual(len(losses[1]), 14)
        self.assertEqual(losses[0], losses[1])
        datasets = json.loads((whole / "run.json").read_text())["data"]["datasets"]
        self.assertEqual([(one["share"], one["share_amount"]) for one in datasets], [("epochs", 0.4), ("rows", 50)])

    def test_several_devices_train_the_same_steps(self):
        common = ("--max-steps", 6, "--dropout", 0.1, "--tokens-per-step", 300, "--packing", "best-fit")
        runs = {}
        for devices in ("cpu", "cpu:2", "cpu:3"):
            out = self.work / devices
            done = self.mixture(*common, first=",weight=3", second=",weight=1", out=out, devices=devices)
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
            runs[devices] = [{key: value for key, value in step.items() if key != "seconds"} for step in steps]
        self.assertEqual(len(runs["cpu"]), 6)
        self.assertGreater(runs["cpu"][0]["trained_tokens"], 0)
        self.assertEqual(runs["cpu:2"], runs["cpu"])  # to the last bit
        self.assertEqual(runs["cpu:3"], runs["cpu"])

    def test_files_with_commas_in_their_names(self):
        plain, odd = self.rows("a,b.jsonl", 5), self.rows("a,weight=2.jsonl", 5)
        for words in ((plain,), (str(odd).replace(",", "\\,"),), (f"{plain},rows=3",)):
            done = call("train", "--model", self.model, "--data", *words, "--dry-run", "--devices", "cpu", *self.common)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(call("train", "--model", self.model, "--data", f"{self.mine},wieght=2", "--dry-run"), INVALID_INPUT, "'wieght'", "weight")
        self.refused(call("train", "--model", self.model, "--data", f"{self.mine},weight=much", "--dry-run"), INVALID_INPUT, "much", "a number")
        self.refused(call("train", "--model", self.model, "--data", f"{self.mine},weight=0", "--dry-run"), INVALID_INPUT, "weight=0", "above 0")

    def test_a_dataset_that_cannot_be_used_is_named(self):
        bad = self.work / "bad.jsonl"
        bad.write_text("no json\n")
        done = call("train", "--model", self.model, "--data", self.mine, "--data", bad, "--dry-run", "--devices", "cpu", *self.common)
        self.refused(done, INVALID_INPUT, "Dataset 2", "bad.jsonl")


if __name__ == "__main__":
    unittest.main()
