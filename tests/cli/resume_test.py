# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that end early and go on: by signals, by what does not fit, from what they saved.

usage: resume_test.py ROUNDPIPE [unittest options]
"""
import json
import os
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import time
import unittest

import torch
from safetensors.torch import load_file

from command_line import BOUND, INVALID_INPUT, IO, ROUNDPIPE, STOPPED, CommandLine, call, unless_given


class GoingOn(CommandLine):
    def saved(self, out):
        state = json.loads((out / "checkpoints" / "last" / "state.json").read_text())
        self.assertEqual(state["step"], len(self.losses(out)))
        self.assertTrue((out / "adapter" / "adapter_model.safetensors").exists())

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

    def test_another_runs_checkpoint_is_not_gone_on_from_without_a_word(self):
        other = self.work / "other"
        self.assertEqual(self.train("--save-every", 2).returncode, 0)
        self.assertEqual(self.train("--save-every", 2, out=other).returncode, 0)
        last = self.out / "checkpoints" / "last"
        shutil.rmtree(last)
        shutil.copytree(other / "checkpoints" / "last", last)
        for more in ((), ("--dry-run",)):
            self.refused(self.train("--resume", "--max-steps", 4, *more), INVALID_INPUT,
                         f"'{last}' was made by another run", "--accept-changes")
        self.refused(self.train("--resume", "--max-steps", 4, "--method", "full"), INVALID_INPUT,
                     "made by another run", "method lora")
        done = self.train("--resume", "--max-steps", 4, "--accept-changes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("made by another run", done.stderr)
        done = self.train("--resume", "--max-steps", 5)  # what was accepted is its own since
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("another run", done.stderr)

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

    def test_a_checkpoint_without_its_state_is_a_damaged_one(self):
        self.assertEqual(self.train("--max-steps", 2).returncode, 0)
        for checkpoint in (self.out / "checkpoints").iterdir():
            (checkpoint / "state.json").unlink()
        before = sorted(path.stat().st_mtime_ns for path in self.out.rglob("*.safetensors"))
        for more in ((), ("--dry-run",)):
            self.refused(self.train("--resume", "--max-steps", 3, *more), INVALID_INPUT, "state.json", "damaged")
        self.assertEqual(sorted(path.stat().st_mtime_ns for path in self.out.rglob("*.safetensors")), before)

    def test_a_dry_run_says_from_where_the_run_would_go_on(self):
        self.assertEqual(self.train("--max-steps", 2, "--save-every", 1, "--keep-checkpoints", 2).returncode, 0)
        (self.out / "checkpoints" / "last" / "optimizer.safetensors").unlink()
        dry = self.train("--resume", "--max-steps", 3, "--dry-run")
        self.assertIn("damaged and was passed over", dry.stderr)
        (self.out / "run.json").write_text("{")
        broken = call("train", "--resume", "--out", self.out, "--dry-run")
        self.refused(broken, INVALID_INPUT, "run.json", "move it away")
        begun = self.train("--resume", "--dry-run", out=self.work / "new")
        self.assertIn("starts from its beginning", begun.stderr)

    # As a disk leaves it that was full until the end. What each of the two said led to the other.
    def test_a_result_without_a_checkpoint_is_gone_on_with_by_one_command(self):
        for method, result in (("lora", "adapter"), ("full", "model")):
            with self.subTest(method=method):
                out = self.work / method
                self.assertEqual(self.train("--method", method, out=out).returncode, 0)
                for name in ("last", "best"):
                    shutil.rmtree(out / "checkpoints" / name, ignore_errors=True)
                before = self.contents(out)
                spec = out / "run.json"
                command = f"roundpipe train {spec} --start-from {out} --out FOLDER"
                again = self.train("--method", method, out=out)
                self.refused(again, INVALID_INPUT, "holds the results of another run", command)
                self.assertNotIn("--resume", again.stderr)
                resumed = self.train("--method", method, "--resume", out=out)
                self.refused(resumed, INVALID_INPUT, "has no checkpoint to go on from", command)
                done = call(*shlex.split(command.replace("FOLDER", f"{out}-followed"))[1:])
                self.assertEqual(done.returncode, 0, done.stderr)
                spec.unlink()
                for more in ((), ("--resume",)):
                    self.refused(self.train("--method", method, *more, out=out), INVALID_INPUT,
                                 f"roundpipe train --start-from {out / result} --model MODEL --data FILE --out FOLDER")
                done = self.train("--method", method, "--start-from", out / result, out=self.work / f"{method}-by-hand")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual({name: before[name] for name in before if name != "run.json"}, self.contents(out))

    # Of damage that shows in bytes alone, and of a disk that is not mounted: what the new run says is what --resume says.
    def test_a_run_that_cannot_go_on_is_not_said_to(self):
        common = ("--validation-fraction", 0.2, "--eval-every", 1)
        self.assertEqual(self.train(*common).returncode, 0)
        checkpoints = self.out / "checkpoints"

        def flip(checkpoint):
            file = checkpoints / checkpoint / "optimizer.safetensors"
            content = bytearray(file.read_bytes())
            content[-1] ^= 1
            file.write_bytes(content)

        def same_way_out(*words):
            before = self.contents(self.out)
            for again in (self.train(*common), self.train(*common, "--dry-run")):
                self.refused(again, INVALID_INPUT, "holds the results of another run", *words)
                self.assertNotIn("--resume", again.stderr)
                resumed = self.train(*common, "--resume", "--max-steps", 4)
                self.refused(resumed, INVALID_INPUT, *words)
                self.assertIn(" ".join(resumed.stderr.split("error: ")[1].split()), " ".join(again.stderr.split()))
            self.assertEqual(self.contents(self.out), before)
            return again

        flip("last")
        self.assertIn("--resume", self.train(*common).stderr, "the best one is whole")
        flip("best")
        advice = same_way_out("optimizer.safetensors' is not what was written", "--start-from").stderr
        command = re.search(r"roundpipe (train \S+ --start-from \S+) --out FOLDER", advice)[1]
        self.assertEqual(call(*shlex.split(command), "--out", self.work / "followed").returncode, 0)

        (checkpoints / "last").rename(self.work / "elsewhere")
        (checkpoints / "last").symlink_to(self.work / "unmounted")
        same_way_out(f"is a link to '{self.work}/unmounted'", "no other one to go on from", "--start-from")
        flip("best")  # whole again
        same_way_out(f"is a link to '{self.work}/unmounted'", "move the link away")
        (checkpoints / "last").unlink()
        self.assertEqual(self.train(*common, "--resume", "--max-steps", 4).returncode, 0)

    def test_a_persons_file_is_no_run_of_another(self):
        self.out.mkdir()
        (self.out / "metrics.jsonl").write_text("mine")
        for more in ((), ("--resume",)):
            self.refused(self.train(*more), INVALID_INPUT, "metrics.jsonl' is there already, and was not made by a run")
        self.assertEqual(self.contents(self.out), {"metrics.jsonl": b"mine"})

    def test_a_refusal_leaves_the_folder_as_it_was(self):
        common = ("--name", "mine", "--validation-fraction", 0.2, "--eval-every", 1)
        self.assertEqual(self.train(*common, "--save-every", 1).returncode, 0)
        for path in (self.out / "run.lock", self.out / "checkpoints" / "last.part"):
            path.unlink(missing_ok=True)  # as a copy may lack it
        (self.out / "checkpoints" / "last.part").mkdir()  # a kill has left it
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.out / "run.socket"))  # as well
        listener.close()
        status = json.loads((self.out / "status.json").read_text())
        (self.out / "status.json").write_text(json.dumps({**status, "later": "version"}))
        with open(self.out / "metrics.jsonl", "a") as curves:
            curves.write('{"step": 9, "lo')
        rows = self.data.read_text()
        young = self.work / "young"
        shutil.copytree(self.out, young, ignore=shutil.ignore_patterns("*.socket"))
        for name in ("checkpoints", "adapter"):
            shutil.rmtree(young / name)
        for out in (self.out, young):
            before = self.contents(out)
            for more in (("--seed", 5), ("--rank", 3), ("--data", self.work / "none.jsonl"), ("--model", self.work / "none"),
                         ("--max-length", 1), ("--devices", "cuda:99"), ("--max-steps", 1), "other rows"):
                if out == young and more in (("--seed", 5), ("--rank", 3), ("--max-steps", 1), "other rows"):
                    continue  # it starts over
                with self.subTest(out=out.name, more=more):
                    if more == "other rows":
                        self.data.write_text(200 * rows)  # so many that it has begun to listen when it is refused
                        more = ()
                    done = call("train", "--resume", "--out", out, *unless_given(more, "--max-steps", 4), *more)
                    self.data.write_text(rows)
                    self.assertNotIn(done.returncode, (0, 1), done.stderr)
                    self.assertEqual(self.contents(out), before)
        journal = [json.loads(line) for line in (self.out / "journal.jsonl").read_text().splitlines()]
        self.assertEqual([line["event"] for line in journal if line["event"] in ("begun", "refused", "ended")], ["begun", "ended"])
        done = call("train", "--resume", "--out", self.out, "--max-steps", 4, "--accept-changes", "--seed", 5)
        self.assertEqual(done.returncode, 0, done.stderr)
        journal = [json.loads(line) for line in (self.out / "journal.jsonl").read_text().splitlines()]
        accepted = [line["text"] for line in journal if line["event"] == "remedy"]
        self.assertIn("Accepted: 'seed' was 42 and is 5.", accepted[0])
        for left in ("checkpoints/last.part", "run.socket"):
            self.assertFalse((self.out / left).exists(), left)

    def test_a_run_goes_on_though_its_run_json_is_gone(self):
        common = ("--schedule", "constant", "--rank", 4)
        whole = self.work / "whole"
        self.assertEqual(self.train(*common, "--max-steps", 6, out=whole).returncode, 0)
        self.assertEqual(self.train(*common, "--max-steps", 2).returncode, 0)
        spec = (self.out / "run.json").read_text()
        for steps, command in ((3, ("--resume", "--out", self.out)), (4, (self.out / "run.json", "--resume")),
                               (5, ("--continue", self.out)),
                               (6, ("--resume", "--out", self.out, "--model", self.model, "--data", self.data))):
            (self.out / "run.json").unlink()
            done = call("train", *command, "--max-steps", steps)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("run.json' is missing: the settings are those of", done.stderr)
            self.assertEqual(json.loads((self.out / "run.json").read_text())["lora"]["rank"], 4)
        self.assertEqual(self.losses(self.out), self.losses(whole))
        (self.out / "run.json").unlink()
        file = self.work / "other.json"
        file.write_text(spec)
        done = call("train", file, "--resume", "--out", self.out, "--seed", 5)
        self.refused(done, INVALID_INPUT, "'seed' was 42 and is 5.")
        self.assertEqual(done.stderr.count(" was "), 1, done.stderr)

    def test_a_dry_run_sees_other_rows_and_another_model(self):
        self.assertEqual(self.train("--schedule", "constant").returncode, 0)
        rows, config = self.data.read_text(), (self.model / "config.json").read_text()
        resumed = ("--resume", "--max-steps", 4)

        def same_refusal(*words, more=resumed):
            before = self.contents(self.out)
            dry, run = self.train(*more, "--dry-run"), self.train(*more)
            self.refused(dry, INVALID_INPUT, *words)
            self.assertEqual(dry.stderr.split("error: ")[1:], run.stderr.split("error: ")[1:])
            self.assertNotIn("goes on", dry.stdout)
            self.assertEqual(self.contents(self.out), before)

        self.data.write_text(rows[rows.index("\n") + 1:])
        same_refusal("The rows are other ones", "--accept-changes")
        both = (*resumed, "--accept-changes", "--seed", 5)
        dry, copy = self.train(*both, "--dry-run"), self.work / "accepted"
        self.assertEqual(dry.returncode, 0, dry.stderr)
        shutil.copytree(self.out, copy)
        run = self.train(*both, out=copy)
        self.assertEqual(run.returncode, 0, run.stderr)
        said = [[line for line in done.stderr.splitlines() if "though something has changed" in line] for done in (dry, run)]
        self.assertEqual([line.count("'seed' was 42 and is 5") + line.count("The rows are other ones") for line in said[0]], [1, 1])
        self.assertEqual(said[0], said[1])
        self.data.write_text(rows)
        (self.model / "config.json").write_text(config + " ")
        same_refusal("config.json' is another one than it was")
        (self.model / "config.json").write_text(config)
        same_refusal("has done 2 steps already, and is to have 1", more=("--resume", "--max-steps", 1))
        self.rewrite_weights(lambda tensors: next(iter(tensors.values())).mul_(2))
        dry = self.train(*resumed, "--dry-run")
        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertIn("weights    not compared", dry.stdout)
        time.sleep(3.5)  # clocks of file systems are coarse: what was written just now is not kept
        self.refused(self.train(*resumed), INVALID_INPUT, "The bytes of the weights")
        same_refusal("The bytes of the weights")

    # As much as a limit of the size of files says of it: none of a run's fits.
    def test_a_dry_run_looks_at_the_disk(self):
        self.assertEqual(self.train("--max-steps", 2).returncode, 0)

        def without_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))

        for out, more, first in ((self.out, ("--resume", "--max-steps", 4), "metrics.jsonl"), (self.work / "new", (), "status.json")):
            with self.subTest(out=out.name):
                before = self.contents(self.work)
                dry = self.train(*more, "--dry-run", out=out, preexec_fn=without_room)
                self.refused(dry, IO, f"Cannot write '{out}/{first}'", "ulimit")
                self.assertEqual(self.contents(self.work), before)
                run = self.train(*more, out=out, preexec_fn=without_room)
                self.assertEqual(dry.stderr.split("error: ")[1:], run.stderr.split("error: ")[1:])
        done = self.train("--resume", "--max-steps", 4, "--dry-run")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_link_to_a_checkpoint_that_is_gone_is_no_start_over(self):
        self.assertEqual(self.train("--validation-fraction", 0.2, "--eval-every", 1).returncode, 0)
        for name in ("last", "best"):
            with self.subTest(name=name):
                checkpoint, elsewhere = self.out / "checkpoints" / name, self.work / "elsewhere"
                checkpoint.rename(elsewhere)
                checkpoint.symlink_to(self.work / "unmounted")
                before = self.contents(self.out)
                self.refused(self.train("--resume", "--max-steps", 4), INVALID_INPUT, f"{name}' is a link to '{self.work}/unmounted'",
                             "is not there")
                self.assertEqual(self.contents(self.out), before)
                checkpoint.unlink()
                elsewhere.rename(checkpoint)

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

    def test_a_dry_run_refuses_what_the_run_would(self):
        done, others, settings, linked, file, dead = (self.work / name for name in ("done", "others", "settings", "linked", "file", "dead"))
        self.assertEqual(self.train(out=done).returncode, 0)
        for folder in (others / "adapter", settings, linked):
            folder.mkdir(parents=True)
        (others / "adapter" / "adapter_model.safetensors").write_text("mine")
        (settings / "run.json").write_text("{}")
        (linked / "checkpoints").symlink_to(others)
        file.write_text("mine")
        dead.symlink_to(self.work / "nowhere")
        odd = [self.work / f"odd{i}" for i in range(6)]
        for folder, name, make in zip(odd, ("run.lock", "journal.jsonl", "run.log", "run.json", "checkpoints", "metrics.jsonl"),
                                      (os.mkfifo, os.mkfifo, os.mkdir, os.mkdir, lambda path: path.write_text("mine"), os.mkfifo)):
            folder.mkdir()
            make(folder / name)
        pipe = self.work / "pipe"
        self.assertEqual(self.train(out=pipe).returncode, 0)
        (pipe / "journal.jsonl").unlink()
        os.mkfifo(pipe / "journal.jsonl")
        resumed = [("--resume", *more) for more in ((), ("--rank", 3), ("--seed", 5), ("--method", "full"))]
        for out, more in [*((out, ()) for out in (done, others, settings, linked, file, file / "below", dead, *odd)), (others, resumed[0]), (pipe, resumed[0]),
                          *((done, more) for more in resumed[1:])]:
            with self.subTest(out=out.name, more=more):
                before = self.contents(out)
                dry, run = self.train(*more, "--dry-run", out=out), self.train(*more, out=out)
                self.assertNotEqual(run.returncode, 0)
                self.assertEqual(self.contents(out), before, "what is refused leaves nothing")
                self.assertEqual((dry.returncode, *dry.stderr.split("error: ")[1:]), (run.returncode, *run.stderr.split("error: ")[1:]))
        self.assertEqual(call("runs", "list", timeout=60).returncode, 0, "a pipe in place of a lock is not waited for")
        before = sorted(done.rglob("*"))
        goes = self.train("--resume", "--seed", 5, "--accept-changes", "--max-steps", 4, "--dry-run", out=done)
        self.assertEqual(goes.returncode, 0, goes.stderr)
        self.assertIn("goes on    from step 2, ", goes.stdout)
        self.assertEqual(self.train("--dry-run", out=self.work / "new").returncode, 0)
        self.assertEqual((sorted(done.rglob("*")), (self.work / "new").exists()), (before, False))

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

        self.refused(call("runs", "delete", "mine", "--checkpoint", "step-7"), INVALID_INPUT, "no checkpoint 'step-7'", "It has: last")

        report = self.work / "report.tar.gz"
        report.write_text("precious")
        self.refused(call("runs", "report", "mine", "--to", report), INVALID_INPUT, "exists already")
        self.assertEqual(report.read_text(), "precious")
        self.assertEqual(call("runs", "report", "mine", "--to", report, "--force").returncode, 0)
        self.assertEqual(report.read_bytes()[:2], b"\x1f\x8b")

    # Of a version that took it.
    def test_a_secret_in_the_name_of_an_old_run_is_shown_by_nothing(self):
        token = "hf_aB3dEfGh1jKlMnOpQrStUvWx"
        self.train("--name", "plain")
        spec = (self.out / "run.json").read_text()
        (self.out / "run.json").write_text(spec.replace('"plain"', f'"my {token}"'))
        status = json.loads((self.out / "status.json").read_text())
        (self.out / "status.json").write_text(json.dumps({**status, "settings": ""}))
        report = self.work / "report.tar.gz"
        for arguments in (["runs", "list"], ["runs", "list", "--json"], ["runs", "report", f"my {token}", "--to", report],
                          ["train", "--continue", "my hf_(hidden)", "--max-steps", "4"], ["runs", "list"],
                          ["trace", "info", self.out / "trace.rptrace"], ["runs", "delete", "my hf_(hidden)"]):
            done = call(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(token, done.stdout + done.stderr, arguments)
        self.assertIn("my hf_(hidden)", call("runs", "list").stdout)
        unpacked = subprocess.run(["tar", "-xzOf", report], capture_output=True)
        self.assertIn(b"my hf_(hidden)", unpacked.stdout)
        self.assertNotIn(token.encode(), unpacked.stdout)
        for file in self.work.rglob("*"):
            if file.is_file() and file != report:
                self.assertNotIn(token.encode(), file.read_bytes(), file)

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

    def test_a_run_that_was_killed_before_it_made_its_folder_begins(self):
        begun = self.train("--resume", out=self.work / "killed at once")
        self.assertEqual(begun.returncode, 0, begun.stderr)
        self.assertIn("beginning", begun.stdout + begun.stderr)
        self.assertEqual(len(self.losses(self.work / "killed at once")), 2)

    def test_prompts_of_the_command_line_are_asked_again(self):
        process = self.started(self.out, more=("--sample", "Hi?", "--sample", "Ho?"))
        process.kill()
        process.communicate()
        self.assertFalse((self.out / "checkpoints" / "last").exists())
        shutil.copytree(self.out, self.work / "other", ignore=shutil.ignore_patterns("*.socket"))

        def asked(out):
            answers = map(json.loads, (out / "answers.jsonl").read_text().splitlines())
            return [(answer["prompt"], answer["step"]) for answer in answers]

        begun = self.train("--resume")
        self.assertEqual(begun.returncode, 0, begun.stderr)
        self.assertEqual(asked(self.out), [("Hi?", 0), ("Ho?", 0), ("Hi?", 2), ("Ho?", 2)])
        self.assertEqual(call("train", "--continue", self.out, "--max-steps", 3).returncode, 0)
        self.assertEqual(asked(self.out)[-2:], [("Hi?", 3), ("Ho?", 3)])
        self.assertEqual(self.train("--resume", "--sample", "Ha?", out=self.work / "other").returncode, 0)
        self.assertEqual(asked(self.work / "other"), [("Ha?", 0), ("Ha?", 2)], "given ones count")

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

    # Else it trains, and cannot write what it has trained.
    @unittest.skipIf(BOUND and not shutil.which("setpriv"), "permissions bind no administrator")
    def test_a_folder_without_permission_is_refused_in_words(self):
        self.assertEqual(self.train("--validation-fraction", 0.2, "--eval-every", 1).returncode, 0)
        last = "checkpoints/last"
        for name, mode in ((".", 0), (".", 0o555), ("checkpoints", 0), ("checkpoints", 0o555), (last, 0),
                           ("journal.jsonl", 0), ("journal.jsonl", 0o444), ("run.lock", 0o444), ("metrics.jsonl", 0), ("run.json", 0)):
            path = self.out / name
            usual = path.stat().st_mode & 0o777
            path.chmod(mode)
            for more in ((), ("--resume", "--max-steps", 4)):
                if more == () and name.startswith(last):
                    continue  # its results are in the way whatever they are
                with self.subTest(name=name, mode=oct(mode), more=more):
                    dry, run = (self.train(*more, *way, before=BOUND) for way in (("--dry-run",), ()))
                    self.refused(run, IO, "Permission denied", str(self.out), "chmod")
                    self.assertEqual(dry.stderr, run.stderr)
            path.chmod(usual)
        done = self.train("--resume", "--max-steps", 4, before=BOUND)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.out / "journal.jsonl").read_text().count('"begun"'), 2)

    def test_of_two_that_go_on_at_the_same_moment_one_does(self):
        self.assertEqual(self.train("--schedule", "constant", "--max-steps", 2).returncode, 0)
        whole = self.work / "whole"
        self.assertEqual(self.train("--schedule", "constant", "--max-steps", 30, out=whole).returncode, 0)
        (self.out / "run.lock").unlink()  # as in a copy
        command = [ROUNDPIPE, "train", "--resume", "--out", self.out, "--max-steps", "30"]
        both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        ends = [(*process.communicate(timeout=120), process.returncode) for process in both]
        self.assertEqual(sorted(end[2] for end in ends), [0, INVALID_INPUT], ends)
        self.assertTrue(any("under way" in end[1] for end in ends), ends)
        self.assertEqual(self.losses(self.out), self.losses(whole))
        self.assertEqual((self.out / "journal.jsonl").read_text().count('"begun"'), 2)

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


if __name__ == "__main__":
    unittest.main()
