# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe's plans, and the measured times that they go by, as a script sees them.

usage: plan_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import re
import shutil
import subprocess
import unittest

from safetensors.torch import load_file

from command_line import INVALID_INPUT, IO, OUT_OF_MEMORY, ROUNDPIPE, CommandLine, call, unless_given


class Plans(CommandLine):
    def plan(self, *more, model=None):
        return call("plan", "--model", model or self.model, *unless_given(more, "--max-length", 256), *more)

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

    def test_a_plan_needs_no_engine(self):
        alone = shutil.copy(ROUNDPIPE, self.work / "roundpipe")  # without roundpipe-engine beside it
        done = subprocess.run([alone, "plan", "--model", self.model, "--rig", "2x4090"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        linked = subprocess.run(["ldd", alone], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libtorch", linked)  # opening it takes longer than most answers

    def test_plan_tables_are_shown(self):
        done = self.plan("--rig", "4x4090", "--updates", "one-step-stale")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("4 x RTX 4090, PCIe 4.0 x8", "one step late", "STAGES", "ms a turn", "DEVICE MEMORY", "workspace",
                      "HOST MEMORY", "page-locked", "COMPUTING AND LINKS", "up a step", "bubble", "tokens/s", "WHY",
                      "is the limit"):
            self.assertIn(words, done.stdout)

    def test_moments_in_bf16_take_four_bytes_a_weight_less(self):
        needed = {}
        for moments in ("fp32", "bf16"):  # by the same plan: what is fastest depends on how long an update takes
            done = self.plan("--rig", "4090", "--method", "full", "--moments", moments, "--backward-stages", 6,
                             "--microbatches", 4, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            needed[moments] = json.loads(done.stdout)["memory"]["host"]
        less = needed["fp32"]["total"] - needed["bf16"]["total"]
        # On disk the result has 4 bytes a weight, each of two checkpoints 4 and those of the moments.
        self.assertEqual(7 * less, needed["fp32"]["disk"])
        self.assertEqual(5 * less, needed["bf16"]["disk"])
        self.assertEqual(needed["fp32"]["pinned"], needed["bf16"]["pinned"])

    def test_fp16_is_planned_as_bf16(self):
        for method in ("lora", "full"):
            bf16, fp16 = (json.loads(self.plan("--rig", "4090", "--method", method, "--precision", precision, "--json")
                                     .stdout) for precision in ("bf16", "fp16"))
            for key in ("stages", "memory", "predicted"):
                self.assertEqual(fp16[key], bf16[key])

    def test_whole_modules_are_said_and_counted(self):
        def host(*more):
            return json.loads(self.plan("--rig", "4090", "--json", *more).stdout)["memory"]["host"]

        self.assertIn(" with embed_tokens, norm on ",
                      self.plan("--rig", "4090", "--modules-to-save", "embed_tokens,norm").stdout)
        plain, whole = host(), host("--modules-to-save", "embed_tokens")
        table = load_file(self.model / "model.safetensors")["model.embed_tokens.weight"].numel()
        # Masters and moments, and sums for the two uses of the table. A file has it under the names of both; on disk
        # are the result and two checkpoints with moments.
        self.assertEqual(whole["pageable"] - plain["pageable"], (4 + 8 + 4) * table)
        self.assertEqual(whole["disk"] - plain["disk"], (3 * 2 * 4 + 2 * 8) * table)
        self.refused(self.plan("--rig", "4090", "--modules-to-save", "q_proj"), INVALID_INPUT, "q_proj", "lora.targets")

    def test_host_and_disk_are_said_with_their_parts(self):
        run = self.work / "keeps.json"
        run.write_text(json.dumps({"model": {"path": str(self.model)}, "output": {"keep_checkpoints": 4}}))
        host = json.loads(call("plan", "--run", run, "--rig", "4090", "--json").stdout)["memory"]["host"]
        self.assertEqual(sum(host["parts"].values()), host["total"])
        disk = host["disk_parts"]
        self.assertEqual(disk["last_and_best"] + disk["result"], host["disk"])
        self.assertEqual(2 * disk["earlier_checkpoints"], 3 * disk["last_and_best"])
        text = call("plan", "--run", run, "--rig", "4090").stdout
        for part in ("optimizer", "last and best checkpoint", "earlier checkpoints", "adapter"):
            self.assertRegex(text, rf"(?m)^    {part} +[\d.]+ [KMG]iB")

    def test_plan_for_this_machine_is_measured_and_saved(self):
        saved = self.work / "mine.json"
        first = self.plan("--rig", "this", "--devices", "cpu:2", "--save-rig", saved, "--json")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("device 1: CPU worker", first.stderr)
        self.assertEqual(json.loads(saved.read_text())["devices"][0]["gpu"], False)
        again = self.plan("--rig", saved, "--json")
        self.assertEqual(json.loads(again.stdout)["rig"], json.loads(first.stdout)["rig"])

    def test_a_device_with_hardly_any_memory_is_planned_for_like_any(self):
        done = self.plan("--rig", "this", "--devices", "cpu@0.004GiB")
        self.refused(done, OUT_OF_MEMORY, "device 0 (cpu:0) needs", "of 4.10 MiB")
        for words in ("does not fit; the least that it needs", "DEVICE MEMORY", "workspace", "HOST MEMORY", "4.10 MiB"):
            self.assertIn(words, done.stdout + done.stderr)

    def test_plan_of_given_stages_is_evaluated(self):
        done = self.plan("--rig", "4090", "--forward-stages", "2,2", "--backward-stages", "2,1,2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([stage["end_layer"] - stage["first_layer"] for stage in json.loads(done.stdout)["stages"]], [2, 2, 2, 1, 2])

    def test_plan_has_the_microbatches_of_the_run(self):
        plain = self.plan("--rig", "2x4090", "--tokens-per-step", 256 * 12, "--microbatches", 4, "--json")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        step = json.loads(plain.stdout)["step"]
        self.assertEqual((step["microbatch_size"], step["microbatches"], step["rounds"]), (2, 4, 2))
        odd = self.plan("--rig", "4090", "--tokens-per-step", 300, "--json")  # no whole number of sequences of 256
        self.assertEqual(json.loads(odd.stdout)["step"]["tokens"], 300, odd.stderr)
        chosen = self.plan("--rig", "2x4090", "--tokens-per-step", 256 * 12, "--choose-microbatches", "--json")
        step = json.loads(chosen.stdout)["step"]
        self.assertEqual(step["microbatch_size"] * step["microbatches"] * step["rounds"], 12)

    def test_chosen_microbatches_are_what_a_run_can_be_told(self):
        choosing = ["--rig", "4x4090", "--tokens-per-step", 256 * 96, "--choose-microbatches"]
        told = re.search(r"TRAIN LIKE THIS\n +(.*)", self.plan(*choosing).stdout)[1].split()
        self.assertEqual(told[-2:], ["--tokens-per-step", "0"])
        chosen = json.loads(self.plan(*choosing, "--json").stdout)
        by_hand = json.loads(self.plan("--rig", "4x4090", *told, "--json").stdout)
        for key in ("microbatch_size", "microbatches", "rounds", "tokens"):
            self.assertEqual(by_hand["step"][key], chosen["step"][key])
        rates = [plan["predicted"]["tokens_per_second"] for plan in (by_hand, chosen)]
        self.assertLess(abs(rates[0] / rates[1] - 1), 0.01)
        self.refused(self.plan(*choosing, "--microbatch-size", 2), INVALID_INPUT, "--choose-microbatches chooses", "--microbatch-size")

    def test_the_plan_shown_is_a_row_of_the_comparison(self):
        done = self.plan("--rig", "2x4090+3090", "--microbatches", 3, "--rounds", 2, "--compare")
        self.assertEqual(done.returncode, 0, done.stderr)
        predicted = re.search(r"predicted: (.+) a step, bubble (\S+) %, (\S+) tokens/s", done.stdout)
        row = next(line for line in done.stdout.splitlines() if line.strip().startswith("this plan"))
        for figure in predicted.groups():
            self.assertIn(figure, row)

    def test_changes_that_only_help_together_are_told_as_such(self):
        asked = {"--max-length": 256, "--rank": 512, "--microbatch-size": 64, "--microbatches": 2}
        told = ""
        for thousandths in range(900, 550, -10):  # on some such GPU
            path = self.rig(lambda rig: rig["devices"][0].update(memory_gib=thousandths / 1000))
            done = self.plan("--rig", path, *(word for option in asked.items() for word in option))
            told = re.search(r"(?:alone; together they make it fit|So do these together):\n((?:  .*\n)+)", done.stderr)
            if told:
                break
        self.refused(done, OUT_OF_MEMORY, "together")
        changes = 0
        for option, words in (("--max-length", r"  sequences of at most (\d+) tokens \(--max-length \d+\): .*longer examples are cut off"),
                              ("--rank", r"  LoRA of rank (\d+) \(--rank \d+\): .*the adapter can learn less"),
                              ("--microbatch-size", r"  microbatches of (\d+) sequences? \(--microbatch-size \d+.*\): .*same result with as many examples")):
            if change := re.search(words, told[1]):
                asked[option] = int(change[1])
                changes += 1
        self.assertEqual(changes, len(told[1].splitlines()))
        self.assertGreaterEqual(changes, 2)
        asked["--microbatches"] = 2 * 64 // asked["--microbatch-size"]
        followed = self.plan("--rig", path, *(word for option in asked.items() for word in option))
        self.assertEqual(followed.returncode, 0, followed.stderr)

    def followed(self, asked, rig, changes):
        """The plan with what the JSON says of these changes, as a program passes it on."""
        for change in changes:
            for option, value in zip(change["options"][::2], change["options"][1::2]):
                asked[option] = value
            if "rig" in change:
                self.assertEqual(change["options"], [])
                rig = self.work / "changed.json"
                rig.write_text(json.dumps(change["rig"]))
        return self.plan("--rig", rig, *(word for option in asked.items() for word in option))

    def test_remedies_are_options_to_be_passed_on(self):
        asked = {"--max-length": 256, "--rank": 512, "--microbatch-size": 64, "--microbatches": 2}
        seen = set()
        hosts = ({"memory_gib": 60}, {"memory_gib": 0.02, "pinned_gib": 0.01})
        for host, thousandths in ((host, size) for host in hosts for size in range(900, 550, -50)):
            path = self.rig(lambda rig: (rig["devices"][0].update(memory_gib=thousandths / 1000), rig["host"].update(host)))
            words = [word for option in asked.items() for word in option]
            none = json.loads(self.plan("--rig", path, *words, "--json").stdout)
            if none["fits"]:
                continue
            told = self.plan("--rig", path, *words).stderr
            ways = [[fix] for fix in none.get("fixes", [])] + ([none["together"]] if "together" in none else [])
            self.assertTrue(ways)
            for way in ways:
                done = self.followed(dict(asked), path, way)
                self.assertEqual(done.returncode, 0, f"{way}: {done.stderr}")
                for change in way:
                    self.assertIn(f"{change['change']} ({' '.join(change['options'])}", told)
                    seen.update(change["options"][::2] or ["rig"])
        self.assertLessEqual({"--microbatch-size", "rig"}, seen)

    def test_remedies_keep_the_rounds_of_the_run(self):
        path = self.rig(lambda rig: rig["devices"][0].update(memory_gib=0.6))
        done = self.plan("--rig", path, "--max-length", 1024, "--microbatch-size", 3 * 64, "--microbatches", 1, "--rounds", 2)
        self.refused(done, OUT_OF_MEMORY, "Any of these makes it fit")

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
        for name in ("GPipe", "1F1B", "interleaved 1F1B", "looped BFS", "replicas", "RoundPipe", "RoundPipe, one step stale",
                     "RoundPipe, other rounds"):
            self.assertTrue(compared[name]["can_run"], name)
            self.assertGreater(compared[name]["tokens_per_second"], 0)
        turns = json.loads(self.plan("--rig", "2x4090", "--replicas", "never", "--compare", "--json").stdout)
        own = next(rival for rival in turns["compared"] if rival["schedule"] == "RoundPipe")
        self.assertEqual(own["step_seconds"], turns["predicted"]["step_seconds"], "the plan's own figure")
        self.assertIn("SCHEDULES COMPARED", self.plan("--rig", "2x4090", "--compare").stdout)

    def test_plan_may_stream_fewer_bits(self):
        held = {}
        for weights in ("as-is", "int8", "fp8", "nf4"):
            done = self.plan("--rig", "4090", "--weights", weights, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            held[weights] = json.loads(done.stdout)["memory"]["host"]["pinned"]  # they stay on the GPU once they are there
        self.assertGreater(held["as-is"], held["int8"])
        self.assertGreater(held["int8"], held["nf4"])
        self.assertEqual(self.plan("--rig", "4090", "--weights", "5bit").returncode, INVALID_INPUT)
        for weights in ("int8", "as-is,nf4"):
            full = self.plan("--rig", "4090", "--method", "full", "--weights", weights)
            self.refused(full, INVALID_INPUT, "weights are frozen", "method lora")

    def test_rounds_beside_a_step_in_tokens_get_a_word(self):
        done = self.plan("--rig", "4090", "--tokens-per-step", 4096, "--rounds", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("batch.rounds has no effect because batch.tokens_per_step says what a step holds", done.stderr)
        self.assertNotIn("batch.rounds", self.plan("--rig", "4090", "--tokens-per-step", 4096).stderr)

    def test_one_copy_of_the_model_is_one(self):
        compared = json.loads(self.plan("--rig", "4090", "--compare", "--json").stdout)["compared"]
        how = next(rival["how"] for rival in compared if rival["schedule"] == "replicas")
        self.assertEqual(how, "1 copy of the model with all microbatches")
        refused = self.plan("--rig", "4090@nvlink").stderr
        self.assertIn("asks for NVLink, which no RTX 4090 has", refused)

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
        done = self.plan("--rig", "4090", "--svg", self.work / "nowhere" / "plan.svg")
        self.refused(done, INVALID_INPUT, "--svg", "nowhere' is no folder that is there")
        self.assertEqual(done.stdout, "")  # at once, and not after the planning

    def test_two_outputs_are_two_files(self):
        both = self.work / "both"
        for first, second in (("--svg", "--trace"), ("--save-rig", "--svg")):
            done = self.plan("--rig", "4090", first, both, second, f"{self.work}/./both")
            self.refused(done, INVALID_INPUT, first, second, "a file of its own")
            self.assertFalse(both.exists())

    def test_outputs_that_are_no_files_are_refused_before_a_plan_is_made(self):
        pipe = self.work / "pipe"
        os.mkfifo(pipe)
        link = self.work / "link"
        link.symlink_to(self.work / "nowhere")
        for option in ("--svg", "--trace", "--save-rig"):
            for wrong in (pipe, link, self.work, "/dev/null"):
                done = self.plan("--rig", "4090", option, wrong)
                self.refused(done, INVALID_INPUT, option, f"'{wrong}' is ", "was left as it is")
                self.assertEqual(done.stdout, "")

    def test_an_average_length_of_nothing_is_refused(self):
        for none in ("0", "0.0", "-0"):
            self.refused(self.plan("--rig", "4090", "--average-length", none), INVALID_INPUT, "--average-length", "leave it out")

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
        self.assertLess(nothing["memory"]["devices"][0]["free"], 0)
        self.assertTrue(nothing["fixes"][0]["cost"])
        given = self.plan("--rig", path, "--forward-stages", "4", "--backward-stages", "2,4", "--json")
        self.refused(given, OUT_OF_MEMORY, "does not fit")
        self.assertFalse(json.loads(given.stdout)["fits"])
        path = self.rig(lambda rig: rig["host"].update(memory_gib=0.001))
        self.refused(self.plan("--rig", path), OUT_OF_MEMORY, "host memory", "32.0 GiB of host memory for the run (a rig's ram=36)")

    def test_plan_without_a_model_is_refused(self):
        self.refused(call("plan", "--rig", "4090"), INVALID_INPUT, "model.path")

    # Measured times.
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

    def train_keeping_times(self, *options):
        """Trains until a run has kept the times of its layers, and gives its folder: now and then, beside other work,
        estimates come nearer to so short a run by chance."""
        for attempt in range(10):
            out = self.work / "-".join(["run", *map(str, options), str(attempt)])
            done = self.train(*options, out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            if any(kept["source"] == "run" for kept in self.profiles()):
                return out
        self.fail("no run kept its times")

    def forget_times(self):
        shutil.rmtree(self.work / "cache/roundpipe/profiles", ignore_errors=True)

    def test_a_run_leaves_the_times_of_its_layers(self):
        self.train_keeping_times("--max-steps", 4)
        self.assertEqual({kept["source"] for kept in self.profiles()}, {"run", "run of other lengths"})
        for kept in self.profiles():
            self.assertTrue(all(times["forward_s"] > 0 for times in kept["kinds"].values()))

    def goes_by_kept_times(self, run, rig, reads, source):
        """Whether a plan of the run goes by the times that it kept; where it kept none, by estimates."""
        done = call("plan", "--run", run / "run.json", "--rig", rig, *reads, "--json")
        keeps = any(kept["source"] == "run" for kept in self.profiles())
        said = f"layers measured ({source})." if keeps else "estimated."
        self.assertIn(said, json.loads(done.stdout)["times_from"], done.stderr)
        return keeps

    def test_the_next_plan_finds_the_times_that_a_run_left(self):
        out = self.train_keeping_times("--max-steps", 4, "--max-length", 100)
        for reads, source in (["--read-data"], "run"), ([], "run of other lengths"):
            self.assertTrue(self.goes_by_kept_times(out, "cpu,ram=16", reads, source))
        for packing in (["--packing", "best-fit"], ["--packing", "best-fit", "--microbatch-tokens", 200],
                        ["--tokens-per-step", 300], ["--tokens-per-step", 300, "--microbatch-tokens", 150]):
            self.forget_times()
            out = self.work / "-".join(["packed", *map(str, packing)])
            done = self.train("--max-steps", 4, "--max-length", 100, *packing, out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
            for reads, source in (["--read-data"], "run"), ([], "run of other lengths"):
                self.goes_by_kept_times(out, "cpu,ram=16", reads, source)

    def test_any_number_of_rows_is_planned_and_trained(self):
        rows = self.data.read_text().splitlines(keepends=True)
        for count in (20, 21, 26):  # the last step of an epoch has fewer microbatches than the others
            self.data.write_text("".join(rows[:count]))
            self.forget_times()
            out = self.work / str(count)
            for dry in (["--dry-run"], []):
                done = self.train("--devices", "cpu:2", *dry, out=out)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.goes_by_kept_times(out, "2xcpu,ram=16", ["--read-data"], "run")

    def test_a_dry_run_holds_the_microbatches_that_a_plan_holds(self):
        rows = self.data.read_text().splitlines()
        validation = self.work / "validation.jsonl"
        validation.write_text(max(rows, key=len) + "\n")  # one that no microbatch to train on is as long as
        self.data.write_text("\n".join(sorted(rows, key=len)[:16]) + "\n")
        options = ["--validation-data", validation, "--devices", "cpu"]
        dry = self.train("--dry-run", *options)
        most = re.search(r"microbatch(?:es)? of at most (\d+)", dry.stdout)
        self.assertTrue(most, dry.stdout + dry.stderr)
        self.assertEqual(self.train(*options).returncode, 0)
        done = call("plan", "--run", self.out / "run.json", "--rig", "2x4090", "--read-data", "--json")
        step = json.loads(done.stdout)["step"]
        self.assertEqual(int(most[1]), step["microbatch_size"] * step["max_length"], step)

    def test_what_was_profiled_is_not_replaced_by_a_guess(self):
        profiled = call("profile", "--model", self.model, "--devices", "cpu")
        self.assertEqual(profiled.returncode, 0, profiled.stderr)
        self.train_keeping_times("--max-steps", 4)
        self.assertEqual(sorted(kept["source"] for kept in self.profiles()), ["profile", "run"])

    def test_the_next_run_is_planned_by_the_times_that_one_left(self):
        self.train_keeping_times("--max-steps", 4)

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


if __name__ == "__main__":
    unittest.main()
