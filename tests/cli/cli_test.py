"""roundpipe as a script sees it: bad input gives its exit code and names what is wrong; good input gives its files.

usage: cli_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import torch
from safetensors.torch import load_file

import tiny_models
from command_line import INVALID_INPUT, IO, NO_SPACE, OUT_OF_MEMORY, ROUNDPIPE, STOPPED, UNSUPPORTED, CommandLine, call


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

    def test_mixture_of_experts_can_be_inspected_but_not_trained(self):
        self.edit("config.json", lambda config: config.update(
            architectures=["Qwen3MoeForCausalLM"], model_type="qwen3_moe", num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32))
        self.refused(self.train(), UNSUPPORTED, "Qwen3MoeForCausalLM", "planned")
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
        self.assertEqual(self.train("--rnak", 8).returncode, INVALID_INPUT)

    def test_wrong_number_names_the_option(self):
        self.refused(self.train("--rank", "eight"), INVALID_INPUT, "--rank", "eight")

    def test_unknown_key_in_a_run_file_is_named(self):
        (self.work / "run.json").write_text(json.dumps({"lora": {"rnak": 8}}))
        self.refused(call("train", self.work / "run.json"), INVALID_INPUT, "lora.rnak", "lora.rank")

    def test_partition_that_leaves_a_layer_out_is_refused(self):
        self.refused(self.train("--forward-stages", "1,1", "--backward-stages", "2,2"), INVALID_INPUT, "partition")

    # The output.
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
        common = ("--save-every", 2, "--dropout", 0.1, "--schedule", "constant")
        whole, cut = self.work / "whole", self.work / "cut"
        self.assertEqual(self.train(*common, "--max-steps", 14, out=whole).returncode, 0)
        self.assertEqual(self.train(*common, "--max-steps", 5, out=cut).returncode, 0)
        done = self.train(*common, "--max-steps", 14, "--resume", out=cut)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.losses(cut), self.losses(whole))

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

    def test_interrupt_stops_after_the_step_and_saves(self):
        command = [ROUNDPIPE, "train", "--model", self.model, "--data", self.data, "--out", self.out, "--devices", "cpu",
                   "--max-steps", "1000000"]
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 60
        while not (self.out / "metrics.jsonl").exists() and time.time() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, STOPPED, output + errors)
        state = json.loads((self.out / "checkpoints" / "last" / "state.json").read_text())
        self.assertEqual(state["step"], len(self.losses(self.out)))
        self.assertTrue((self.out / "adapter" / "adapter_model.safetensors").exists())

    def test_epochs_with_an_incomplete_last_step_run_through(self):
        done = self.train("--max-steps", 0, "--epochs", 2, "--microbatch-size", 3, "--microbatches", 2, "--rounds", 2,
                          "--validation-fraction", 0, "--devices", "cpu:2")
        self.assertEqual(done.returncode, 0, done.stderr)
        metrics = self.metrics(self.out)
        self.assertEqual(len(metrics), 8)  # 40 rows, 12 a step
        self.assertLess(metrics[3]["tokens"], metrics[2]["tokens"])

    def profiles(self):
        return [json.loads(path.read_text()) for path in self.work.glob("cache/roundpipe/profiles/*.json")]

    def test_profile_times_every_kind_of_layer_and_keeps_it(self):
        done = call("profile", "--model", self.model / "config.json", "--devices", "cpu", "--max-length", 16, "--out", self.work / "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("head", done.stdout)
        kept, = self.profiles()
        self.assertEqual([kept], json.loads((self.work / "out.json").read_text()))
        self.assertEqual(kept["source"], "profile")
        self.assertTrue(all(times["forward_s"] > 0 for times in kept["kinds"].values()))
        self.refused(call("profile", "--model", self.model, "--devices", "cpu", "--max-length", 0), INVALID_INPUT, "length")
        for command in ("profile", "plan"):
            for wrong in (-5, 5000):
                done = call(command, "--model", self.model, "--devices", "cpu", "--average-length", wrong)
                self.refused(done, INVALID_INPUT, "average length must be from 1 to 1024", f"is {wrong}")
            done = call(command, "--model", self.model, "--devices", "cpu", "--trained-share", 2)
            self.assertEqual(done.returncode, INVALID_INPUT, done.stderr)

    def test_a_run_leaves_the_times_of_its_layers(self):
        self.assertEqual(self.train("--max-steps", 4).returncode, 0)
        self.assertEqual({kept["source"] for kept in self.profiles()}, {"run", "run of other lengths"})
        for kept in self.profiles():
            self.assertTrue(all(times["forward_s"] > 0 for times in kept["kinds"].values()))

    def test_the_next_plan_finds_the_times_that_a_run_left(self):
        for packing in ([], ["--packing", "best-fit", "--microbatch-tokens", 200],
                        ["--tokens-per-step", 300, "--microbatch-tokens", 150]):
            out = self.work / "-".join(["run", *map(str, packing)])
            done = self.train("--max-steps", 4, "--max-length", 100, *packing, out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            for reads, source in (["--read-data"], "run"), ([], "run of other lengths"):
                done = call("plan", "--run", out / "run.json", "--rig", "cpu,ram=16", *reads, "--json")
                self.assertIn(f"layers measured ({source}).", json.loads(done.stdout)["times_from"], done.stderr)

    def test_what_was_profiled_is_not_replaced_by_a_guess(self):
        profiled = call("profile", "--model", self.model, "--devices", "cpu")
        self.assertEqual(profiled.returncode, 0, profiled.stderr)
        self.assertEqual(self.train("--max-steps", 4).returncode, 0)
        self.assertEqual(sorted(kept["source"] for kept in self.profiles()), ["profile", "run"])

    def test_the_next_run_is_planned_by_the_times_that_one_left(self):
        self.assertEqual(self.train("--max-steps", 4).returncode, 0)

        def plan():
            shown = self.train("--devices", "cpu:2", "--dry-run", out=self.work / "next")
            return next(line for line in shown.stdout.splitlines() if line.startswith("plan"))

        before = plan()
        for path in self.work.glob("cache/roundpipe/profiles/*.json"):
            kept = json.loads(path.read_text())
            for part in kept["kinds"]["head"]:
                kept["kinds"]["head"][part] *= 1e4
            path.write_text(json.dumps(kept))
        self.assertNotEqual(plan(), before)  # nothing beside a head that takes so long

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

    # The plan.
    def plan(self, *more, model=None):
        return call("plan", "--model", model or self.model, "--max-length", 256, *more)

    def rig(self, change=lambda rig: None):
        rig = {"devices": [{"preset": "4090", "count": 2, "link": {"up_gb_per_s": 12, "root": "a"}}],
               "roots": [{"name": "a", "gb_per_s": 20}], "host": {"memory_gib": 60, "memory_gb_per_s": 50}}
        change(rig)
        path = self.work / "rig.json"
        path.write_text(json.dumps(rig))
        return path

    def test_plan_covers_every_layer_and_keeps_its_promises(self):
        done = self.plan("--rig", "2x4090+3090@pcie3x8,ram=64", "--microbatches", 6, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        plan = json.loads(done.stdout)
        for kinds in (("forward", "fused"), ("fused", "backward")):
            stages = sorted((stage["first_layer"], stage["end_layer"]) for stage in plan["stages"] if stage["kind"] in kinds)
            self.assertEqual([end for _, end in stages[:-1]], [begin for begin, _ in stages[1:]])
            self.assertEqual(stages[-1][1], 6)  # embedding, four blocks, head
        self.assertEqual(plan["rig"]["devices"][2]["name"], "RTX 3090")
        self.assertEqual(plan["step"]["tokens"], 6 * 2 * 256)
        predicted = plan["predicted"]
        self.assertAlmostEqual(predicted["tokens_per_second"], plan["step"]["tokens"] / predicted["step_seconds"], 3)
        self.assertGreaterEqual(predicted["step_seconds"], predicted["fastest_thinkable_seconds"])
        for device in plan["memory"]["devices"]:
            self.assertGreaterEqual(device["free"], 0)

    def test_plan_tables_are_shown(self):
        done = self.plan("--rig", "4x4090", "--one-step-stale")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("4 x RTX 4090, PCIe 4.0 x8", "one step late", "STAGES", "ms a turn", "DEVICE MEMORY", "workspace",
                      "HOST MEMORY", "page-locked", "COMPUTING AND LINKS", "up a step", "bubble", "tokens/s", "WHY",
                      "is the limit"):
            self.assertIn(words, done.stdout)

    def test_plan_for_this_machine_is_measured_and_saved(self):
        saved = self.work / "mine.json"
        first = self.plan("--rig", "this", "--devices", "cpu:2", "--save-rig", saved, "--json")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("device 1: CPU worker", first.stderr)
        self.assertEqual(json.loads(saved.read_text())["devices"][0]["gpu"], False)
        again = self.plan("--rig", saved, "--json")
        self.assertEqual(json.loads(again.stdout)["rig"], json.loads(first.stdout)["rig"])

    def test_plan_of_given_stages_is_evaluated(self):
        done = self.plan("--rig", "4090", "--forward-stages", "2,2", "--backward-stages", "2,1,2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([stage["end_layer"] - stage["first_layer"] for stage in json.loads(done.stdout)["stages"]], [2, 2, 2, 1, 2])

    def test_plan_groups_the_tokens_of_a_step(self):
        done = self.plan("--rig", "2x4090", "--tokens-per-step", 256 * 12, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        step = json.loads(done.stdout)["step"]
        self.assertEqual(step["microbatch_size"] * step["microbatches"] * step["rounds"], 12)
        self.refused(self.plan("--rig", "4090", "--tokens-per-step", 300), INVALID_INPUT, "300", "256", "--max-length")

    def test_plan_holds_what_the_steps_of_a_run_hold_on_average(self):
        for more in (["--tokens-per-step", 300], ["--packing", "by-length", "--microbatch-tokens", 200],
                     ["--packing", "best-fit", "--microbatch-tokens", 150, "--microbatches", 7], []):
            options = ["--max-length", 100, *more]
            shown = self.train("--dry-run", *options)
            average = re.search(r"a step +(\d+) tokens on average", shown.stdout)
            self.assertTrue(average, shown.stdout + shown.stderr)
            out = self.work / f"run{len(more)}"
            self.assertEqual(self.train("--max-steps", 1, *options, out=out).returncode, 0)
            done = call("plan", "--run", out / "run.json", "--rig", "2x4090", "--read-data", "--json")
            plan = json.loads(done.stdout)
            self.assertAlmostEqual(plan["step"]["tokens"], int(average[1]), delta=1)
            predicted = plan["predicted"]
            self.assertAlmostEqual(predicted["tokens_per_second"] * predicted["step_seconds"], plan["step"]["tokens"], delta=1)

    def test_plan_holds_the_tokens_that_it_is_asked_for(self):
        done = self.plan("--rig", "2x4090", "--tokens-per-step", 1024, "--microbatch-tokens", 375, "--json")
        step = json.loads(done.stdout)["step"]
        self.assertEqual((step["tokens"], step["microbatch_tokens"]), (1024, 375))
        done = self.plan("--rig", "2x4090", "--tokens-per-step", 1024, "--average-length", 100, "--json")
        self.assertEqual(json.loads(done.stdout)["step"]["tokens"], 1024)

    def test_plan_is_compared_with_other_schedules(self):
        done = self.plan("--rig", "2x4090", "--compare", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        compared = {rival["schedule"]: rival for rival in json.loads(done.stdout)["compared"]}
        for name in ("GPipe", "1F1B", "interleaved 1F1B", "looped BFS", "replicas", "RoundPipe", "RoundPipe, one step stale"):
            self.assertTrue(compared[name]["can_run"], name)
            self.assertGreater(compared[name]["tokens_per_second"], 0)
        self.assertIn("SCHEDULES COMPARED", self.plan("--rig", "2x4090", "--compare").stdout)

    def test_plan_may_stream_fewer_bits(self):
        up = {}
        for weights in ("whole", "8bit", "4bit"):
            done = self.plan("--rig", "4090", "--weights", weights, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            up[weights] = json.loads(done.stdout)["predicted"]["bytes_up"][0]
        self.assertGreater(up["whole"], up["8bit"])
        self.assertGreater(up["8bit"], up["4bit"])
        self.assertEqual(self.plan("--rig", "4090", "--weights", "5bit").returncode, INVALID_INPUT)

    def test_plan_takes_a_run_file(self):
        (self.work / "run.json").write_text(json.dumps({"model": {"path": "model"}, "data": {"max_length": 128},
                                                        "batch": {"microbatches": 3}}))
        done = call("plan", "--run", self.work / "run.json", "--rig", "h100", "--microbatch-size", 5, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["step"]["tokens"], 3 * 5 * 128)

    def test_plan_is_drawn_and_traced(self):
        done = self.plan("--rig", "2x4090", "--svg", self.work / "plan.svg", "--trace", self.work / "plan.trace.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        svg = (self.work / "plan.svg").read_text()
        self.assertTrue(svg.startswith("<svg "))
        for words in ("0 RTX 4090", "weights up", "tokens/s"):
            self.assertIn(words, svg)
        events = json.loads((self.work / "plan.trace.json").read_text())["traceEvents"]
        self.assertTrue({"forward", "fused", "upload-weights"} <= {event["name"].split()[0] for event in events})
        self.refused(self.plan("--rig", "4090", "--svg", self.work / "nowhere" / "plan.svg"), IO, "plan.svg")

    def test_unknown_gpu_lists_what_is_known(self):
        self.refused(self.plan("--rig", "4x4080"), INVALID_INPUT, "4080", "3090, 4090, 5090")

    def test_zero_bandwidth_is_refused(self):
        path = self.rig(lambda rig: rig["devices"][0]["link"].update(up_gb_per_s=0))
        self.refused(self.plan("--rig", path), INVALID_INPUT, "rig.json", "device 0", "rate up")

    def test_contradictory_rig_is_refused(self):
        path = self.rig(lambda rig: rig["devices"][0]["link"].update(root="b"))
        self.refused(self.plan("--rig", path), INVALID_INPUT, "rig.json", "'b'")
        path = self.rig(lambda rig: rig.update(peers=[{"from": 1, "to": 1, "gb_per_s": 20}]))
        self.refused(self.plan("--rig", path), INVALID_INPUT, "rig.json", "device itself")
        path = self.rig(lambda rig: rig["devices"][0].update(memory_gb=24))
        self.refused(self.plan("--rig", path), INVALID_INPUT, "devices[0].memory_gb", "memory_gib")

    def test_missing_rig_file_is_named(self):
        self.refused(self.plan("--rig", self.work / "none.json"), IO, "none.json")

    def test_plan_names_a_missing_or_absurd_config_field(self):
        self.edit("config.json", lambda config: config.pop("hidden_size"))
        self.refused(self.plan("--rig", "4090"), INVALID_INPUT, "config.json", "hidden_size")
        self.edit("config.json", lambda config: config.update(hidden_size=-64))
        self.refused(self.plan("--rig", "4090"), INVALID_INPUT, "config.json", "hidden_size", "-64")

    def test_model_that_cannot_fit_is_told_what_is_missing(self):
        path = self.rig(lambda rig: rig["devices"][0].update(memory_gib=0.01))
        self.refused(self.plan("--rig", path), OUT_OF_MEMORY, "does not fit", "10.2 MiB", "makes it fit", "devices with")
        nothing = json.loads(self.plan("--rig", path, "--json").stdout)
        self.assertEqual((nothing["fits"], "stages" in nothing), (False, False))
        self.assertTrue(nothing["fixes"][0]["cost"])
        given = self.plan("--rig", path, "--forward-stages", "4", "--backward-stages", "2,4", "--json")
        self.refused(given, OUT_OF_MEMORY, "does not fit")
        self.assertFalse(json.loads(given.stdout)["fits"])
        path = self.rig(lambda rig: rig["host"].update(memory_gib=0.001))
        self.refused(self.plan("--rig", path), OUT_OF_MEMORY, "host memory")

    def test_plan_without_a_model_is_refused(self):
        self.refused(call("plan", "--rig", "4090"), INVALID_INPUT, "model.path")

    # The rest.
    def test_version_and_inspect(self):
        self.assertRegex(call("--version").stdout, r"roundpipe \d+\.\d+\.\d+")
        content = json.loads(call("inspect", self.model, "--json").stdout)
        self.assertEqual((content["blocks"], content["has_weights"], content["has_tokenizer"]), (4, True, True))
        self.assertEqual(call("inspect", self.work / "nowhere").returncode, IO)


if __name__ == "__main__":
    unittest.main()
