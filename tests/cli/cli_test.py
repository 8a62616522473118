# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe as a script sees it: bad input gives its exit code and names what is wrong; good input gives its files.

usage: cli_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
import unittest

import torch
from safetensors.torch import load_file

import tiny_models
from command_line import INVALID_INPUT, IO, NO_SPACE, ROUNDPIPE, STOPPED, UNSUPPORTED, CommandLine, call


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
        self.assertEqual(call("runs", "rename", "r2", "small").returncode, 0)
        self.assertEqual(call("runs", "note", "small", "not enough").returncode, 0)
        self.assertEqual(call("runs", "note", "r2").stdout, "not enough\n")
        self.refused(call("runs", "note", "rank 2"), INVALID_INPUT, "rank 2", "r2", "r4")

    def test_only_what_lies_among_the_runs_is_deleted(self):
        inside = self.work / "home/roundpipe/runs/mine"
        outside = self.work / "elsewhere"
        for out in (inside, outside):
            self.assertEqual(self.train(out=out).returncode, 0)
        self.assertIn("checkpoint last, step 2", call("runs", "delete", "mine").stdout)
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
        command = [ROUNDPIPE, "train", "--model", self.model, "--data", self.data, "--out", out, "--devices", "cpu",
                   "--max-steps", "1000000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            while run.poll() is None and not (out / "metrics.jsonl").exists():
                time.sleep(0.05)
            self.assertEqual(json.loads(call("runs", "list", "--json").stdout)[0]["state"], "running")
            self.refused(call("runs", "delete", "long", "--yes"), INVALID_INPUT, "under way")
            self.refused(call("runs", "rename", "long", "x"), INVALID_INPUT, "under way")
            self.refused(self.train("--resume", out=out), INVALID_INPUT, "under way")
            run.send_signal(signal.SIGINT)
            run.communicate()
        self.assertEqual(json.loads(call("runs", "list", "--json").stdout)[0]["state"], "stopped")
        self.assertEqual(call("runs", "delete", "long", "--yes").returncode, 0)
        self.assertFalse(out.exists())

    # The model folder.
    def test_missing_shard_is_named(self):
        os.rename(self.model / "model.safetensors", self.model / "model-00001-of-00002.safetensors")
        names = list(load_file(self.model / "model-00001-of-00002.safetensors"))
        shards = {name: f"model-0000{1 + i % 2}-of-00002.safetensors" for i, name in enumerate(names)}
        (self.model / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}))
        self.refused(self.train(), IO, "model-00002-of-00002.safetensors")

    def test_truncated_shard_is_named(self):
        path = self.model / "model.safetensors"
        os.truncate(path, path.stat().st_size - 1000)
        self.refused(self.train(), IO, "model.safetensors", "truncated")

    def test_what_a_run_will_refuse_is_said_before_it(self):
        def looked_at():
            return (self.train("--dry-run"), call("plan", "--model", self.model, "--rig", "1x4090", "--estimated"))

        for done in looked_at():
            self.assertNotIn("refuse", done.stderr)
        name = "model.layers.1.mlp.up_proj.weight"
        for change in (lambda tensors: tensors.pop(name), lambda tensors: tensors.update({"model.layers.9.extra.weight": torch.zeros(3)})):
            self.rewrite_weights(change)
            for done in looked_at():
                self.assertIn("warning: A run will refuse this model.", done.stderr)
                self.assertIn("model.layers.", done.stderr)
            self.refused(self.train(), INVALID_INPUT, "model.layers.")

    def test_wrong_shape_names_the_tensor(self):
        name = "model.layers.1.mlp.up_proj.weight"
        self.rewrite_weights(lambda tensors: tensors.update({name: torch.zeros(3, 64)}))
        self.refused(self.train(), INVALID_INPUT, name)

    def test_wrong_dtype_names_the_tensor(self):
        name = "model.layers.1.mlp.up_proj.weight"
        self.rewrite_weights(lambda tensors: tensors.update({name: tensors[name].to(torch.int32)}))
        self.refused(self.train(), INVALID_INPUT, name)

    def test_index_that_points_outside_is_refused(self):
        os.rename(self.model / "model.safetensors", self.work / "model.safetensors")
        names = list(load_file(self.work / "model.safetensors"))
        (self.model / "model.safetensors.index.json").write_text(
            json.dumps({"weight_map": {name: "../model.safetensors" for name in names}}))
        self.refused(self.train(), INVALID_INPUT, "../model.safetensors")

    def test_unsupported_architecture_is_named(self):
        self.edit("config.json", lambda config: config.update(architectures=["MambaForCausalLM"], model_type="mamba"))
        self.refused(self.train(), UNSUPPORTED, "MambaForCausalLM")

    def test_quantised_model_is_refused_with_advice(self):
        self.edit("config.json", lambda config: config.update(quantization_config={"quant_method": "bitsandbytes"}))
        self.refused(self.train(), UNSUPPORTED, "quanti")

    def test_stacked_experts_are_not_trained_whole(self):
        self.edit("config.json", lambda config: config.update(
            architectures=["GptOssForCausalLM"], model_type="gpt_oss", num_local_experts=4, num_experts_per_tok=2))
        self.refused(self.train("--method", "full"), UNSUPPORTED, "gpt-oss", "stacked", "method lora")
        self.refused(self.train("--targets", "down_proj", "--dropout", "0.1"), INVALID_INPUT, "down_proj", "dropout", "PEFT")
        self.refused(self.train("--targets", "experts"), INVALID_INPUT, "experts", "gate_up_proj", "down_proj")
        self.refused(self.train(), INVALID_INPUT, "no place")  # the weights are another model's
        shown = call("inspect", self.model / "config.json", "--json")
        self.assertEqual(json.loads(shown.stdout)["experts"], 4, shown.stderr)

    def test_missing_tokenizer_is_named(self):
        (self.model / "tokenizer.json").unlink()
        self.refused(self.train(), INVALID_INPUT, "tokenizer.json")

    def test_tokenizer_model_alone_is_refused_with_advice(self):
        os.rename(self.model / "tokenizer.json", self.model / "tokenizer.model")
        self.refused(self.train(), UNSUPPORTED, "tokenizer.model", "save_pretrained")

    def test_missing_chat_template_is_refused_with_advice(self):
        for name in ("chat_template.jinja",):
            (self.model / name).unlink(missing_ok=True)
        self.edit("tokenizer_config.json", lambda config: config.pop("chat_template", None))
        self.refused(self.train(), UNSUPPORTED, "--chat-template")

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
        for words in ("model: ", "device: cpu:0", "steps 1 to 4", "busy", "fused"):
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

    def losses(self, out):
        return [line["loss"] for line in self.metrics(out)]

    def metrics(self, out):
        return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]

    def test_resumed_run_equals_the_whole_one(self):
        for updates, moments, modules in (("synchronous", "fp32", ""), ("one-step-stale", "fp32", ""),
                                          ("synchronous", "bf16", ""), ("one-step-stale", "bf16", "embed_tokens,norm")):
            with self.subTest(updates=updates, moments=moments, modules=modules):
                common = ("--save-every", 4, "--dropout", 0.1, "--schedule", "constant", "--updates", updates,
                          "--moments", moments, "--precision", "bf16")
                if modules:
                    common += ("--modules-to-save", modules)
                whole, cut = self.work / f"whole-{updates}-{moments}", self.work / f"cut-{updates}-{moments}"
                self.assertEqual(self.train(*common, "--max-steps", 14, out=whole).returncode, 0)
                self.assertEqual(self.train(*common, "--max-steps", 5, out=cut).returncode, 0)
                done = self.train(*common, "--max-steps", 14, "--resume", out=cut)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.losses(cut), self.losses(whole))
                for trace in ("trace.rptrace", "trace-to-step-5.rptrace"):
                    self.assertTrue((cut / trace).exists(), f"{trace}: what was recorded before is kept")
        others = [self.losses(self.work / f"whole-{name}")
                  for name in ("one-step-stale-fp32", "synchronous-bf16", "one-step-stale-bf16")]
        for other in others:
            self.assertNotEqual(self.losses(self.work / "whole-synchronous-fp32"), other)
        other = ("--moments", "fp32", "--dropout", 0, "--max-steps", 15, "--resume")
        self.refused(self.train(*other, out=self.work / "cut-synchronous-bf16"), INVALID_INPUT,
                     "'optimizer.moments' was bf16 and is fp32.", "'lora.dropout' was 0.1 and is 0", "--accept-changes")
        done = self.train(*other, "--accept-changes", out=self.work / "cut-synchronous-bf16")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the optimizer's moments in BF16. They are converted: the run goes on with F32", done.stderr)

    def test_a_run_on_a_packed_base_is_resumed_and_is_no_other(self):
        common = ("--save-every", 4, "--schedule", "constant", "--learning-rate", "3e-3")
        self.assertEqual(self.train(*common, "--max-steps", 8, out=self.work / "as-is").returncode, 0)
        for weights in ("nf4", "int8", "fp8"):
            with self.subTest(weights=weights):
                packed = (*common, "--weights", weights)
                whole, cut = self.work / f"whole-{weights}", self.work / f"cut-{weights}"
                self.assertEqual(self.train(*packed, "--max-steps", 8, out=whole).returncode, 0)
                self.assertEqual(self.train(*packed, "--max-steps", 3, out=cut).returncode, 0)
                done = self.train(*packed, "--max-steps", 8, "--resume", "--devices", "cpu:2", out=cut)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.losses(cut), self.losses(whole))
                self.assertLess(self.losses(whole)[-1], self.losses(whole)[0])
                self.assertNotEqual(self.losses(whole), self.losses(self.work / "as-is"))
                self.refused(self.train(*common, "--weights", "as-is", "--max-steps", 9, "--resume", out=cut), INVALID_INPUT,
                             f"'model.weights' was {weights} and is as-is.")
        self.refused(self.train("--weights", "nf4", "--method", "full", out=self.work / "full"), INVALID_INPUT,
                     "'model.weights' is nf4", "method lora")
        self.refused(self.train("--weights", "mxfp4", out=self.work / "mxfp4"), INVALID_INPUT, "experts", "nf4")

    # The second step is given a loss scale that is far too large.
    def test_a_run_in_fp16_goes_on_over_skipped_steps(self):
        for updates in ("synchronous", "one-step-stale"):
            with self.subTest(updates=updates):
                common = ("--dropout", 0.1, "--schedule", "constant", "--updates", updates, "--precision", "fp16")
                whole, cut = self.work / f"whole-{updates}", self.work / f"cut-{updates}"
                for out in (whole, cut):
                    self.assertEqual(self.train(*common, "--max-steps", 1, out=out).returncode, 0)
                    state = out / "checkpoints" / "last" / "state.json"
                    kept = json.loads(state.read_text())
                    self.assertEqual(kept["loss_scale"],
                                     {"scale": 65536.0, "before": 65536.0, "good_steps": 1, "skipped_steps": 0})
                    kept["loss_scale"].update(scale=2.0 ** 28, before=2.0 ** 28)
                    del kept["fingerprint"]  # as an older program wrote it, which had no checksums
                    (state.parent / "manifest.json").unlink()
                    state.write_text(json.dumps(kept))
                self.assertEqual(self.train(*common, "--max-steps", 24, "--resume", out=whole).returncode, 0)
                self.assertEqual(self.train(*common, "--max-steps", 3, "--resume", out=cut).returncode, 0)
                done = self.train(*common, "--max-steps", 24, "--resume", out=cut)
                self.assertEqual(done.returncode, 0, done.stderr)
                for key in ("loss", "grad_norm", "loss_scale", "skipped"):
                    self.assertEqual([line[key] for line in self.metrics(cut)],
                                     [line[key] for line in self.metrics(whole)])
                skipped = [line["step"] for line in self.metrics(whole) if line["skipped"]]
                self.assertTrue({2, 3} <= set(skipped), skipped)
                self.assertNotIn(24, skipped)
                kept = json.loads((whole / "checkpoints" / "last" / "state.json").read_text())["loss_scale"]
                self.assertEqual(kept["skipped_steps"], len(skipped))
                self.assertLess(self.losses(whole)[-1], self.losses(whole)[0])

    def test_a_copied_run_goes_on_where_it_stands(self):
        done = self.train("--save-every", 2, "--schedule", "constant")
        self.assertEqual(done.returncode, 0, done.stderr)
        new, old = self.work / "copies" / "new", self.work / "copies" / "old"
        for copy in (new, old):
            shutil.copytree(self.out, copy)
        spec = json.loads((new / "run.json").read_text())
        self.assertEqual(spec["output"]["folder"], ".")
        spec["output"]["folder"] = str(self.out)  # as they were written before
        (old / "run.json").write_text(json.dumps(spec))
        before = (self.out / "metrics.jsonl").read_text()
        for copy in (new, old):
            done = call("train", copy / "run.json", "--resume", "--max-steps", 4)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(self.losses(copy)), 4)
        self.assertEqual(self.losses(new), self.losses(old))
        self.assertEqual((self.out / "metrics.jsonl").read_text(), before)
        shown = call("runs", "compare", new, old)
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_a_damaged_checkpoint_is_told_as_one(self):
        done = self.train("--save-every", 2, "--validation-fraction", 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        last = self.out / "checkpoints" / "last"
        for name in ("adapter_model.safetensors", "optimizer.safetensors", "state.json"):
            with self.subTest(file=name):
                whole = (last / name).read_bytes()
                (last / name).write_bytes(whole[: len(whole) // 2])
                done = self.train("--resume", "--max-steps", 4)
                self.assertNotEqual(done.returncode, 0)
                for words in (f"cannot go on from '{self.out}/checkpoints'", name):
                    self.assertIn(words, done.stderr)
                self.assertNotIn("fetch", done.stderr)
                (last / name).write_bytes(whole)
        (last / "state.json").write_bytes(b"{")
        advice = self.train("--resume", "--max-steps", 4).stderr
        commands = re.findall(r"roundpipe (train .*?) --out FOLDER", advice)
        self.assertEqual(["--start-from" in command for command in commands], [True, False], advice)
        for number, command in enumerate(commands):  # what it says can be done
            done = call(*shlex.split(command), "--out", self.work / f"followed-{number}")
            self.assertEqual(done.returncode, 0, done.stderr)
        shutil.rmtree(self.out / "adapter")
        advice = self.train("--resume", "--max-steps", 4).stderr
        self.assertNotIn("--start-from", advice)
        self.assertIn("Begin it anew", advice)

    def started(self, out, **options):
        command = [ROUNDPIPE, "train", "--model", self.model, "--data", self.data, "--out", out, "--devices", "cpu",
                   "--max-steps", "1000000"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        deadline = time.time() + 60
        while not (out / "metrics.jsonl").exists() and time.time() < deadline:
            time.sleep(0.05)
        return process

    def saved(self, out):
        state = json.loads((out / "checkpoints" / "last" / "state.json").read_text())
        self.assertEqual(state["step"], len(self.losses(out)))
        self.assertTrue((out / "adapter" / "adapter_model.safetensors").exists())

    # Else a run that is killed between lacks the step's line when it goes on.
    def test_a_step_is_written_down_before_there_is_a_checkpoint_of_it(self):
        command = [ROUNDPIPE, "train", "--model", self.model, "--data", self.data, "--out", self.out, "--devices", "cpu",
                   "--max-steps", "20", "--eval-every", "1", "--validation-fraction", "0.2", "--method", "full",
                   "--learning-rate", "0.001"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        state, seen = self.out / "checkpoints" / "best" / "state.json", set()
        while process.poll() is None:
            if not state.exists():
                continue
            try:
                step = json.loads(state.read_text())["step"]
            except OSError:  # it is being replaced
                continue
            lines = (self.out / "metrics.jsonl").read_text().splitlines() if (self.out / "metrics.jsonl").exists() else []
            self.assertGreaterEqual(len(lines), step)
            seen.add(step)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(seen)

    def test_signals_stop_after_the_step_and_save(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            out = self.out / number.name
            process = self.started(out)
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, STOPPED, output + errors)
            self.saved(out)

    def test_a_reader_that_goes_away_stops_and_saves(self):
        process = self.started(self.out)
        process.stdout.readline()
        process.stdout.close()  # as head does
        process.stderr.close()
        self.assertEqual(process.wait(timeout=60), STOPPED)
        self.saved(self.out)

    def test_a_run_goes_along_with_its_folder_and_so_does_the_list(self):
        process = self.started(self.out)
        moved = self.work / "moved"
        self.out.rename(moved)
        steps = len(self.losses(moved))
        deadline = time.time() + 60
        while len(self.losses(moved)) < steps + 3 and time.time() < deadline:
            time.sleep(0.05)
        listed = []
        while not listed and time.time() < deadline:
            listed = json.loads(call("runs", "list", "--json").stdout)
        self.assertEqual([(os.path.basename(run["folder"]), run["state"]) for run in listed], [("moved", "running")])
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, STOPPED, output + errors)
        self.assertIn("was moved while it trains", output + errors)
        self.saved(moved)
        self.assertFalse(self.out.exists())

    def test_nohup_outlives_its_terminal(self):
        process = self.started(self.out, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        steps = len(self.losses(self.out))
        deadline = time.time() + 60
        while len(self.losses(self.out)) < steps + 3 and time.time() < deadline:
            time.sleep(0.05)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, STOPPED)

    def test_a_run_goes_on_by_its_folder_or_its_name(self):
        common = ("--schedule", "constant", "--rank", 4)
        self.assertEqual(self.train(*common, "--name", "mine").returncode, 0)
        self.assertEqual(call("train", "--resume", "--out", self.out, "--max-steps", 4).returncode, 0)
        self.assertEqual(len(self.losses(self.out)), 4)
        self.assertEqual(call("train", "--continue", "mine", "--max-steps", 5).returncode, 0)
        self.assertEqual(call("train", "--continue", self.out, "--max-steps", 6).returncode, 0)
        whole = self.work / "whole"
        self.assertEqual(self.train(*common, "--max-steps", 6, out=whole).returncode, 0)
        self.assertEqual(self.losses(self.out), self.losses(whole))
        self.refused(call("train", "--continue", "nobody"), INVALID_INPUT, "nobody")
        self.refused(call("train", "--resume", "--out", self.work / "nosuch"), INVALID_INPUT, "nosuch' holds no run to go on with")
        (self.work / "emptied" / "checkpoints").mkdir(parents=True)
        self.refused(call("train", "--resume", "--out", self.work / "emptied"), INVALID_INPUT, "emptied/run.json' is missing")
        self.refused(call("train", "--resume"), INVALID_INPUT, "--resume does not say which run goes on")
        self.assertFalse((self.work / "nosuch").exists())
        self.refused(call("train", "--continue", "mine", "--resume"), INVALID_INPUT, "--resume")

        shown = [json.loads(line) for line in call("runs", "journal", "mine", "--json").stdout.splitlines()]
        self.assertEqual([line["step"] for line in shown if line["event"] == "begun"], [0, 2, 4, 5])
        self.assertEqual([line["what"] for line in shown if line["event"] == "ended"], ["finished"] * 4)
        self.assertIn("checkpoints/last", call("runs", "journal", "mine").stdout)

        report = self.work / "report.tar.gz"
        report.write_text("precious")
        self.refused(call("runs", "report", "mine", "--to", report), INVALID_INPUT, "exists already")
        self.assertEqual(report.read_text(), "precious")
        self.assertEqual(call("runs", "report", "mine", "--to", report, "--force").returncode, 0)
        self.assertEqual(report.read_bytes()[:2], b"\x1f\x8b")

    def test_a_new_run_starts_from_what_another_made(self):
        self.assertEqual(self.train("--rank", 4, "--name", "mine").returncode, 0)
        first = load_file(self.out / "adapter" / "adapter_model.safetensors")
        for what in ("mine", self.out, self.out / "adapter", self.out / "checkpoints" / "last"):
            out = self.work / "next"
            done = self.train("--start-from", what, "--learning-rate", 0, out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads((out / "run.json").read_text())["lora"]["rank"], 4)
            made = load_file(out / "adapter" / "adapter_model.safetensors")
            self.assertTrue(all(torch.equal(first[name], made[name]) for name in first), what)
            shutil.rmtree(out)
        for what in (("--start-from", "mine"), ("--init-adapter", self.out / "adapter")):
            self.refused(self.train(*what, "--rank", 8, out=self.work / "next"), INVALID_INPUT, "--rank is 8, and 4 in the adapter")
            self.assertFalse((self.work / "next").exists())
        self.assertEqual(self.train("--start-from", "mine", "--rank", 4, out=self.work / "next").returncode, 0)
        full = self.work / "full"
        self.assertEqual(self.train("--method", "full", out=full).returncode, 0)
        done = call("train", "--start-from", full, "--data", self.data, "--max-steps", 1, "--devices", "cpu", "--out",
                    self.work / "after")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.work / "after/run.json").read_text())["model"]["path"], str(full / "model"))

    def test_a_run_that_ended_early_is_continued(self):
        common = ("--eval-every", 1, "--early-stop", 2, "--learning-rate", 0.5, "--schedule", "constant", "--max-steps", 30)
        self.assertEqual(self.train(*common).returncode, 0)
        ended = len(self.losses(self.out))
        self.assertLess(ended, 30)
        done = call("train", "--resume", "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"has ended early, after step {ended}", done.stderr)
        self.assertEqual(len(self.losses(self.out)), ended)
        done = call("train", "--continue", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("It trains on", done.stderr)
        self.assertGreater(len(self.losses(self.out)), ended)

    def test_one_run_at_a_time_writes_into_a_folder(self):
        first = self.started(self.out)
        self.refused(self.train(), INVALID_INPUT, "under way")
        self.refused(self.train("--resume"), INVALID_INPUT, "under way")
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
        self.assertEqual(first.returncode, STOPPED)
        self.assertEqual([line["step"] for line in self.metrics(self.out)], list(range(1, 1 + len(self.losses(self.out)))))

    def test_weights_that_are_no_numbers_end_in_words(self):
        name = "model.layers.1.mlp.up_proj.weight"
        self.rewrite_weights(lambda tensors: tensors[name].fill_(float("nan")))
        done = self.train("--max-steps", 9)
        self.refused(done, INVALID_INPUT, f"'{name}'", "NaN", "download")
        self.assertNotIn("-nan", done.stdout + done.stderr)
        skipped = [line["skipped"] for line in self.metrics(self.out)]
        self.assertIn(skipped, ([True] * 3, [True] * 4), "one may have been under way")
        self.assertFalse((self.out / "checkpoints" / "best").exists())
        self.assertFalse((self.out / "adapter").exists())

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
