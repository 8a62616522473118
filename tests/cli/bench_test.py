# SPDX-License-Identifier: GPL-3.0-or-later
"""roundpipe bench: what it prints, of what it trains, and what it leaves behind.

usage: bench_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import unittest

from command_line import INVALID_INPUT, IO, CommandLine, call, unless_given


class Benchmarks(CommandLine):
    def bench(self, *more, model=None):
        self.temporary = self.work / "temporary"
        self.temporary.mkdir(exist_ok=True)
        usual = unless_given(more, "--max-length", 48, "--microbatch-size", 2, "--microbatches", 3, "--warm-up", 1, "--steps", 3)
        return call("bench", "--model", model or self.model, *usual, *more, env={**os.environ, "TMPDIR": str(self.temporary)})

    def measured(self, *more, model=None):
        done = self.bench(*more, model=model)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertEqual(list(self.temporary.iterdir()), [], "nothing is left behind")
        return json.loads(done.stdout)

    def test_a_timeline_is_kept_where_it_is_asked_for(self):
        file = self.work / "bench.rptrace"
        self.measured("--devices", "cpu:1", "--trace", file)
        info = call("trace", "info", file)
        self.assertEqual(info.returncode, 0, info.stderr)
        self.assertIn("cpu:0", info.stdout)
        refused = self.bench("--devices", "cpu:1", "--trace", self.work / "bench.txt")
        self.assertEqual(refused.returncode, INVALID_INPUT)
        self.assertIn(".rptrace", refused.stderr)

    def test_the_figures_of_a_run_agree_with_each_other(self):
        found = self.measured("--devices", "cpu:2", "--forward-stages", "2", "--backward-stages", "4,2",
                              "--steps", 20)
        self.assertEqual(found["tokens_per_step"], 48 * 2 * 3)
        self.assertEqual((found["steps"], found["warm_up_steps"], len(found["losses"])), (20, 1, 21))
        self.assertEqual((found["forward_stages"], found["backward_stages"]), ([2], [4, 2]))
        seconds = sum(found["steps_seconds"])
        self.assertAlmostEqual(found["step_seconds"], seconds / 20)
        self.assertAlmostEqual(found["tokens_per_second"], 20 * 48 * 2 * 3 / seconds, 3)
        flops = found["flops_per_second"]
        self.assertGreater(flops["with_recompute"], flops["needed"])
        self.assertEqual([device["name"] for device in found["devices"]], ["cpu:0", "cpu:1"])
        for device in found["devices"]:
            # Bubbles are those of steps, between which a moment may lie, and some moments nothing explains: more and
            # longer ones where other programs take the processors.
            self.assertAlmostEqual(device["busy_share"] + device["bubble_share"], 1, delta=0.1)
            self.assertAlmostEqual(sum(device["idle_shares"].values()), device["bubble_share"], delta=0.1)
            self.assertGreater(device["peak_bytes"], 0)
            for way in ("up", "down"):
                link = device[way]
                self.assertAlmostEqual(link["bytes_per_step"], link["bytes_per_second"] * found["step_seconds"], delta=1)
                self.assertLessEqual(link["share_in_use"], 1)
                self.assertGreaterEqual(link["bytes_per_second_in_use"], link["bytes_per_second"])
        compute = sum(found["kinds"][kind]["seconds_per_step"] for kind in ("forward", "recompute", "backward", "fused"))
        busy = sum(device["busy_share"] for device in found["devices"]) * found["step_seconds"]
        self.assertAlmostEqual(compute, busy, delta=0.02 * busy)
        self.assertEqual(found["kinds"]["upload-activation"]["bytes_per_step"] > 0, True)
        self.assertGreater(found["host"]["optimizer_seconds_per_step"], 0)
        self.assertGreater(found["host"]["process_bytes"], 0)
        self.assertEqual(found["trace_records_dropped"], 0)
        for device, estimate in zip(found["devices"], found["estimated"]["devices"], strict=True):
            self.assertEqual(device["peak_bytes"], estimate["peak_bytes"])
        # Three slots on two devices in turn: a device's steps are of two kinds, all devices' alike. What the first
        # and the last step fetch ahead falls on either side of the measured time, hence as many steps.
        up = sum(device["up"]["bytes_per_step"] for device in found["devices"])
        planned = sum(estimate["up_bytes_per_step"] for estimate in found["estimated"]["devices"])
        self.assertAlmostEqual(up, planned, delta=0.1 * planned)
        self.assertGreater(found["estimated"]["step_seconds"], 0)

    def test_the_same_losses_on_any_devices_and_nothing_computed_again_in_one_stage(self):
        one = self.measured("--devices", "cpu", "--backward-stages", "6")
        two = self.measured("--devices", "cpu:2", "--forward-stages", "3", "--backward-stages", "3,3")
        self.assertEqual(one["losses"], two["losses"])
        self.assertEqual(one["flops_per_second"]["needed"], one["flops_per_second"]["with_recompute"])
        self.assertNotIn("recompute", one["kinds"])

    def test_whole_modules_beside_adapters(self):
        rate = ("--learning-rate", 1e-4)
        whole = ("--modules-to-save", "embed_tokens,norm", *rate)
        one = self.measured("--devices", "cpu", "--backward-stages", "6", *whole)
        two = self.measured("--devices", "cpu:2", "--forward-stages", "3", "--backward-stages", "3,3", *whole)
        self.assertEqual(one["modules_to_save"], ["embed_tokens", "norm"])
        self.assertEqual(one["losses"], two["losses"])
        plain = self.measured("--devices", "cpu", "--backward-stages", "6", *rate)
        self.assertEqual(plain["modules_to_save"], [])
        self.assertEqual(plain["losses"][0], one["losses"][0])
        self.assertNotEqual(plain["losses"], one["losses"])
        for device, estimate in zip(two["devices"], two["estimated"]["devices"], strict=True):
            self.assertEqual(device["peak_bytes"], estimate["peak_bytes"])

    def test_a_config_alone_will_do(self):
        alone = self.work / "alone" / "config.json"
        alone.parent.mkdir()
        alone.write_text((self.model / "config.json").read_text())
        found = self.measured("--devices", "cpu", model=alone)
        self.assertEqual(found["tokens_per_step"], 48 * 2 * 3)
        self.assertEqual([path.name for path in alone.parent.iterdir()], ["config.json"])

    def test_refuses_what_a_run_refuses(self):
        self.refused(self.bench("--devices", "cpu", model=self.work / "nothing"), IO, "nothing")
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.refused(self.bench("--devices", "gpu:0"), INVALID_INPUT, "gpu:0")
        self.assertEqual(self.bench("--warm-up", 0).returncode, INVALID_INPUT)
        self.assertEqual(list(self.temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
