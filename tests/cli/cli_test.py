# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe as a script sees it: bad input gives its exit code and names what is wrong; good input gives its files.

usage: cli_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import re
import signal
import subprocess
import unittest

import tiny_models
from command_line import INVALID_INPUT, IO, NO_SPACE, ROUNDPIPE, CommandLine, call


class WholeCommandLine(CommandLine):
    # Runs.
    def test_runs_are_listed_compared_and_deleted(self):
        self.assertIn("no runs", call("runs", "list").stdout)
        for rank in (2, 4):
            done = self.train("--rank", rank, "--name", f"rank {rank}", "--sample", "Who?", out=self.work / f"r{rank}")
            self.assertEqual(done.returncode, 0, done.stderr)
        listed = json.loads(call("runs", "list", "--json").stdout)
        self.assertEqual({(run["name"], run["state"], run["steps"]) for run in listed},
                         {("rank 2", "finished", 2), ("rank 4", "finished", 2)})
        answers = [json.loads(line) for line in (self.work / "r2/answers.jsonl").read_text().splitlines()]
        self.assertEqual([(answer["prompt"], answer["tuned"], answer["step"]) for answer in answers],
                         [("Who?", False, 0), ("Who?", True, 2)])
        compared = json.loads(call("runs", "compare", "r2", "rank 4", "--json", "--csv", self.work / "c.csv").stdout)
        self.assertEqual(compared["differences"], {"lora.rank": [2, 4]})
        lines = (self.work / "c.csv").read_text().splitlines()
        self.assertEqual(lines[0], "run,step,loss")
        metrics = [json.loads(line) for line in (self.work / "r4/metrics.jsonl").read_text().splitlines()]
        self.assertEqual(float(lines[-1].split(",")[2]), metrics[-1]["loss"])
        self.assertEqual(call("runs", "rename", "r2", "small").stdout, "r2 is called 'small' now.\n")
        self.assertEqual(call("runs", "note", "small", "not enough").returncode, 0)
        self.assertEqual(call("runs", "note", "r2").stdout, "not enough\n")
        self.refused(call("runs", "note", "rank 2"), INVALID_INPUT, "rank 2", "r2", "r4")

    def test_only_what_lies_among_the_runs_is_deleted(self):
        inside = self.work / "home/roundpipe/runs/mine"
        outside = self.work / "elsewhere"
        for out in (inside, outside):
            self.assertEqual(self.train(out=out).returncode, 0)
        self.assertIn("checkpoint last, step 2", call("runs", "delete", "mine").stdout)
        self.assertNotIn("yours", call("runs", "delete", "mine").stdout)
        (inside / "notes").mkdir()
        made = inside / "exports/adapter"
        self.assertEqual(call("export", "mine", "--to", "adapter").returncode, 0)
        self.assertTrue(made.is_dir())
        self.assertNotIn("exports", call("runs", "delete", "mine").stdout)
        (inside / "exports/papers").mkdir()
        for own in ("notes/a.md", "checkpoints/last/b.txt", "adapter/c.bin", "exports/papers/d", "exports/adapter/e"):
            (inside / own).write_text("mine")
        shown = call("runs", "delete", "mine").stdout
        self.assertEqual(re.findall(r"  yours    (\S+), which no run has made, goes with it", shown),
                         ["adapter/c.bin", "checkpoints/last/b.txt", "exports/adapter/e", "exports/papers", "notes"])
        self.assertEqual(re.findall("yours    (.*), which", call("runs", "delete", "mine", "--checkpoint", "last").stdout),
                         ["checkpoints/last/b.txt"])
        self.assertTrue((inside / "run.json").exists(), "only shown")
        self.assertRegex(call("runs", "delete", "elsewhere").stdout, rf"only taken off the list: its .* stay in {outside}")
        self.refused(call("runs", "delete", "elsewhere", "--checkpoint", "last"), INVALID_INPUT, "lies elsewhere")
        self.assertEqual(call("runs", "delete", "mine", "elsewhere", "--yes").returncode, 0)
        self.assertFalse(inside.exists())
        self.assertTrue((outside / "run.json").exists())
        self.assertIn("no runs", call("runs", "list").stdout)

    def test_settings_are_printed_as_the_manual_has_them(self):
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../resources/manual/settings.md")
        with open(page, encoding="utf-8") as file:
            self.assertEqual(call("settings").stdout, file.read())

    def test_single_checkpoints_are_deleted(self):
        out = self.work / "home/roundpipe/runs/mine"
        self.assertEqual(self.train(out=out).returncode, 0)
        shown = call("runs", "delete", "mine", "--checkpoint", "last").stdout
        self.assertIn("cannot be resumed", shown)
        self.assertIn("without --yes", shown)
        self.assertTrue((out / "checkpoints/last").exists())
        self.refused(call("runs", "delete", "mine", "--checkpoint", "none", "--yes"), INVALID_INPUT, "none", "last")
        self.assertEqual(call("runs", "delete", "mine", "--checkpoint", "last", "--yes").returncode, 0)
        self.assertFalse((out / "checkpoints/last").exists())
        self.assertTrue((out / "adapter").exists())

    def test_a_run_under_way_is_not_deleted(self):
        out = self.work / "home/roundpipe/runs/long"
        with self.started(out) as run:
            self.assertEqual(json.loads(call("runs", "list", "--json").stdout)[0]["state"], "running")
            self.refused(call("runs", "delete", "long", "--yes"), INVALID_INPUT, "under way")
            self.refused(call("runs", "rename", "long", "x"), INVALID_INPUT, "under way")
            self.refused(self.train("--resume", out=out), INVALID_INPUT, "under way")
            run.send_signal(signal.SIGINT)
            run.communicate()
        self.assertEqual(json.loads(call("runs", "list", "--json").stdout)[0]["state"], "stopped")
        self.assertEqual(call("runs", "delete", "long", "--yes").returncode, 0)
        self.assertFalse(out.exists())

    # The settings.
    def test_rank_zero_is_refused(self):
        self.refused(self.train("--rank", 0), INVALID_INPUT, "lora.rank")

    def test_unknown_target_lists_what_exists(self):
        self.refused(self.train("--targets", "z_proj"), INVALID_INPUT, "z_proj", "q_proj")

    def test_unknown_option_is_refused(self):
        self.refused(self.train("--rnak", 8), INVALID_INPUT, "error: ", "--rnak", "--rank")

    def test_verbose_stands_before_a_command_or_behind_it(self):
        for line in (("--verbose", "runs", "list"), ("runs", "--verbose", "list"), ("runs", "list", "--verbose")):
            self.assertEqual(call(*line).returncode, 0, line)

    def test_resuming_asks_which_run(self):
        self.refused(call("train", "--model", self.model, "--data", self.data, "--resume"), INVALID_INPUT, "--out", "runs list")
        self.refused(call("train", "--resume"), INVALID_INPUT)

    def test_wrong_number_names_the_option(self):
        self.refused(self.train("--rank", "eight"), INVALID_INPUT, "--rank", "eight")

    def test_unknown_key_in_a_run_file_is_named(self):
        (self.work / "run.json").write_text(json.dumps({"lora": {"rnak": 8}}))
        self.refused(call("train", self.work / "run.json"), INVALID_INPUT, "lora.rnak", "lora.rank")

    def test_partition_that_leaves_a_layer_out_is_refused(self):
        self.refused(self.train("--forward-stages", "1,1", "--backward-stages", "2,2"), INVALID_INPUT, "partition")

    def test_a_second_value_is_not_taken_for_the_run_file(self):
        path = self.work / "run.json"
        path.write_text(json.dumps({"model": {"path": str(self.model)}}))
        done = call("train", "--max-steps", 2, 3, path)
        self.refused(done, INVALID_INPUT, "'3' is no file", "one value")
        self.assertNotIn("run.json", done.stderr)

    # The output.
    def test_a_link_to_nothing_is_no_folder_for_a_run(self):
        link = self.work / "link"
        link.symlink_to(self.work / "unmounted")
        for out in (link, link / "run"):
            self.refused(self.train("--max-steps", 1, out=out), INVALID_INPUT, str(link), "unmounted", "not there")

    def test_unwritable_folder_is_named(self):
        (self.work / "file").write_text("")
        self.refused(self.train(out=self.work / "file" / "run"), IO, "file")

    def test_another_runs_folder_is_not_overwritten(self):
        self.assertEqual(self.train().returncode, 0)
        self.refused(self.train(), INVALID_INPUT, "another run", "--resume")

    def test_full_disk_is_told_and_loses_no_checkpoint(self):
        disk = self.work / "disk"
        disk.mkdir()
        command = (f"mount -t tmpfs -o size=64k none '{disk}' && exec '{ROUNDPIPE}' train --model '{self.model}' --data "
                   f"'{self.data}' --out '{disk}/run' --devices cpu --max-steps 2")
        if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
            self.skipTest("this system lets nobody mount a small disk")
        self.refused(subprocess.run(["unshare", "-rm", "sh", "-c", command], capture_output=True, text=True), NO_SPACE, "space")

    # What a run leaves behind.
    def test_run_folder_is_complete(self):
        done = self.train("--validation-fraction", 0.1, "--eval-every", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        metrics = self.metrics(self.out)
        self.assertEqual([line["step"] for line in metrics], [1, 2])
        self.assertEqual(list(metrics[0]), ["step", "loss", "validation_loss", "lr", "grad_norm", "tokens", "trained_tokens", "seconds"])
        self.assertGreater(metrics[0]["validation_loss"], 0)
        spec = json.loads((self.out / "run.json").read_text())
        self.assertEqual(spec["model"]["path"], str(self.model))
        self.assertTrue(spec["data"]["template_date"])
        exported = call("trace", "export", self.out, "--to", self.work / "trace.json", "--steps", "1-2")
        self.assertEqual(exported.returncode, 0, exported.stderr)
        events = json.loads((self.work / "trace.json").read_text())["traceEvents"]
        self.assertTrue({"forward", "fused", "optimizer", "upload-weights"} <= {event["name"].split()[0] for event in events})
        for name in ("adapter", "checkpoints/last", "checkpoints/best"):
            self.assertTrue((self.out / name / "adapter_model.safetensors").exists(), name)
        self.assertTrue((self.out / "adapter" / "tokenizer.json").exists())
        config = json.loads((self.out / "adapter" / "adapter_config.json").read_text())
        self.assertEqual((config["r"], config["lora_alpha"], config["peft_type"]), (16, 32, "LORA"))

    def test_trace_is_told_exported_and_compared(self):
        self.assertEqual(self.train("--max-steps", 4).returncode, 0)
        told = call("trace", "info", self.out)
        self.assertEqual(told.returncode, 0, told.stderr)
        for words in ("model: ", "device: cpu:0", "planned steps: 1 to 4", ", steps 1 to 4", "busy", "fused"):
            self.assertIn(words, told.stdout)
        self.assertNotIn("killed", told.stdout)
        for name in ("picture.svg", "slices.csv", "statistics.csv", "part.rptrace"):
            done = call("trace", "export", self.out / "trace.rptrace", "--to", self.work / name, "--steps", "2-3")
            self.assertEqual(done.returncode, 0, done.stderr)
        steps = {line.split(",")[3] for line in (self.work / "slices.csv").read_text().splitlines()[1:] if ",fused," in line}
        self.assertTrue({"2", "3"} <= steps, steps)
        self.assertIn("<svg", (self.work / "picture.svg").read_text())
        self.assertIn("device,", (self.work / "statistics.csv").read_text())
        compared = call("trace", "compare", self.out, self.work / "part.rptrace")
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertIn("a step (median)", compared.stdout)

        # A run that was killed, and files that are none.
        whole = (self.out / "trace.rptrace").read_bytes()
        (self.out / "trace.rptrace").write_bytes(whole[:len(whole) * 2 // 3])
        self.assertIn("or was killed", call("trace", "info", self.out).stdout)
        (self.work / "no.rptrace").write_text("x" * 200)
        self.refused(call("trace", "info", self.work / "no.rptrace"), INVALID_INPUT, "no.rptrace", "byte 0")
        self.refused(call("trace", "info", self.work / "gone.rptrace"), IO, "gone.rptrace")
        self.refused(call("trace", "export", self.out, "--to", self.work / "a.png"), INVALID_INPUT, ".svg", ".json")
        self.refused(call("trace", "export", self.out, "--to", self.work / "a.svg", "--steps", "90"), INVALID_INPUT, "90")
        self.refused(call("trace", "export", self.out, "--to", self.work / "a.svg", "--steps", "two"), INVALID_INPUT, "two")

    def test_epochs_with_an_incomplete_last_step_run_through(self):
        done = self.train("--max-steps", 0, "--epochs", 2, "--microbatch-size", 3, "--microbatches", 2, "--rounds", 2,
                          "--validation-fraction", 0, "--devices", "cpu:2")
        self.assertEqual(done.returncode, 0, done.stderr)
        metrics = self.metrics(self.out)
        self.assertEqual(len(metrics), 8)  # 40 rows, 12 a step
        self.assertLess(metrics[3]["tokens"], metrics[2]["tokens"])

    def test_dry_run_shows_plan_counts_and_a_mask(self):
        done = self.train("--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("forward stage", "trained (", "[[", "<|im_end|>]]"):
            self.assertIn(word, done.stdout)
        self.assertFalse(self.out.exists())

    # Generation.
    def test_generation_repeats_from_its_seed(self):
        sampled = ("generate", "--model", self.model, "--prompt", "Turn round: ash bay.", "--device", "cpu", "--temperature", 1,
                   "--max-new-tokens", 12)
        first, again, other = call(*sampled), call(*sampled), call(*sampled, "--seed", 7)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, again.stdout)
        self.assertNotEqual(first.stdout, other.stdout)

    def test_generation_with_an_adapter_for_another_model_is_refused(self):
        self.assertEqual(self.train().returncode, 0)
        other = tiny_models.make_model("llama", self.work / "other")
        done = call("generate", "--model", other, "--adapter", self.out / "adapter", "--prompt", "Hello", "--device", "cpu")
        self.refused(done, INVALID_INPUT, "lora_")

    # The rest.
    def test_version_and_inspect(self):
        self.assertRegex(call("--version").stdout, r"roundpipe \d+\.\d+\.\d+")
        content = json.loads(call("inspect", self.model, "--json").stdout)
        self.assertEqual((content["blocks"], content["has_weights"], content["has_tokenizer"]), (4, True, True))
        self.assertEqual(call("inspect", self.work / "nowhere").returncode, IO)


if __name__ == "__main__":
    unittest.main()
