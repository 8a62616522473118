# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that fails, and checkpoints whose bytes have changed: never another result, always words.

usage: faults.py ROUNDPIPE FAILING_DISK_LIBRARY SHORT_MEMORY_LIBRARY SLEEPING_MACHINE_LIBRARY [unittest options]
"""
import json
import pathlib
import random
import shutil
import sys
import tempfile
import time
import unittest

import small_run

ROUNDPIPE, LIBRARY, SHORT_MEMORY, SLEEPING_MACHINE = (sys.argv.pop(1) for _ in range(4))
STEPS = 12


def contents(folder):
    """Every file below it and its bytes, but for the card, which names the folder, and the sums of all."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in ("README.md", "SHA256SUMS")}


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.folder.name)
        cls.small = small_run.SmallRun(ROUNDPIPE, cls.work, "lora", STEPS)
        done = cls.small.run(cls.work / "whole")
        assert done.returncode == 0, done.stderr
        cls.losses = small_run.losses(cls.work / "whole")
        cls.weights = small_run.weights(cls.work / "whole")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.out = self.work / self.id().rpartition(".")[2]

    def on_bad_disk(self, out, fault, first=0, last=0, *more, small=None):
        return (small or self.small).run(out, *more, LD_PRELOAD=LIBRARY, FAILING_DISK=out, FAILING_DISK_FAULT=fault,
                              FAILING_DISK_FROM=first, FAILING_DISK_TO=last)

    def is_whole(self, out):
        self.assertEqual(small_run.losses(out), self.losses)
        self.assertEqual(small_run.weights(out), self.weights)

    def test_short_writes_change_nothing(self):
        done = self.on_bad_disk(self.out, "short")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.is_whole(self.out)

    def fails_and_goes_on(self, small, losses, weights, faults):
        """Runs on a disk that takes nothing for a while or for good, and goes on when it is whole again."""
        seed = random.SystemRandom().randrange(1 << 31)
        rng = random.Random(seed)
        print(f"{small.way}: seed {seed}", file=sys.stderr)
        ends = {}
        for fault, times in faults:
            for number in range(times):
                first = rng.randrange(1, 400)
                last = rng.choice((first, first + rng.randrange(1, 200), 1 << 40))
                out = self.out.with_name(f"{small.way}-{fault}{number}")
                with self.subTest(way=small.way, fault=fault, calls=(first, last), seed=seed):
                    done = self.on_bad_disk(out, fault, first, last, small=small)
                    self.assertGreaterEqual(done.returncode, 0, "it was ended by a signal")
                    self.assertIn(done.returncode, (0, 4, 5), done.stderr)
                    ends[fault, done.returncode] = ends.get((fault, done.returncode), 0) + 1
                    if done.returncode != 0:
                        self.assertIn("error: ", done.stderr)
                        self.assertIn(str(out), done.stderr)
                    elif fault != "short" and last - first > 100:  # which is to be heard of
                        self.assertIn("warning: ", done.stderr)
                    # The disk is whole again.
                    done = small.run(out, "--resume") if (out / "run.json").exists() else small.run(out)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    found = small_run.losses(out)
                    self.assertEqual({step: losses[step] for step in found}, found)
                    self.assertEqual(small_run.weights(out), weights)
        print(ends, file=sys.stderr)

    def test_a_disk_that_fails_for_a_while_or_for_good_loses_no_checkpoint(self):
        self.fails_and_goes_on(self.small, self.losses, self.weights, (("enospc", 6), ("eio", 6)))

    def test_nor_does_it_one_step_stale_or_where_all_weights_are_trained(self):
        for way in ("stale", "full", "full-stale"):
            small = small_run.SmallRun(ROUNDPIPE, self.work, way, STEPS)
            whole = self.work / f"whole-{way}"
            self.assertEqual(small.run(whole).returncode, 0)
            self.fails_and_goes_on(small, small_run.losses(whole), small_run.weights(whole),
                                   (("short", 1), ("enospc", 3), ("eio", 3)))

    def test_a_disk_that_became_read_only_is_told_again_and_with_what_helps(self):
        done = self.on_bad_disk(self.out, "erofs", 60, 1 << 40)
        self.assertEqual(done.returncode, 4, done.stderr)
        warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ") and "checkpoints/last" in line]
        self.assertGreaterEqual(len(warnings), 2, done.stderr)
        for line in warnings:
            self.assertIn("mounted read-only", line)
        self.assertNotIn("Make room", done.stderr)
        self.assertIn("mounted read-only", done.stderr.rpartition("error: ")[2])

    def test_an_export_is_whole_or_not_there(self):
        """What stands there from before stays, and the next one on a whole disk is as it would have been."""
        rng = random.Random(2)
        for kind in ("adapter", "merged", "gguf", "gguf-adapter"):
            small = self.small
            export = lambda out, **more: small.command_line("export", self.work / "whole", "--to", kind, "--out", out,
                                                            "--no-proof", **more)
            whole = self.work / f"export-{kind}"
            done = export(whole)
            self.assertEqual(done.returncode, 0, done.stderr)
            expected = contents(whole)
            once, forever = rng.randrange(2, 12), 1 << 40
            for fault, first, last, stood in (("short", 0, 0, False), ("enospc", 1, forever, False),
                                              ("enospc", once, once, True), ("eio", 1, 1, True),
                                              ("eio", once, forever, False)):
                out = self.work / f"export-{kind}-{fault}-{first}"
                if stood:
                    shutil.copytree(whole, out)
                with self.subTest(kind=kind, fault=fault, calls=(first, last), stood=stood):
                    done = export(out, LD_PRELOAD=LIBRARY, FAILING_DISK=out, FAILING_DISK_FAULT=fault,
                                  FAILING_DISK_FROM=first, FAILING_DISK_TO=last)
                    self.assertIn(done.returncode, (0,) if fault == "short" else (0, 4, 5), done.stderr)
                    if done.returncode != 0:
                        self.assertIn("error: ", done.stderr)
                        self.assertIn(str(out), done.stderr)
                    self.assertTrue(contents(out) == (expected if done.returncode == 0 or stood else {}), done.stderr)
                    done = export(out)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(contents(out) == expected)

    def test_a_full_disk_does_not_end_the_line(self):
        """Nothing begins while the line can't be written, and it goes on when it can."""
        line = self.work / "home" / "roundpipe" / "queue"
        for name in ("first", "second"):
            command = self.small.command(self.out / name, "--name", name)[2:]
            done = self.small.command_line("queue", "add", *command)
            self.assertEqual(done.returncode, 0, done.stderr)
        # Each change is a write and a flush: what was chosen, the first one taken, and its end eight times in vain.
        done = self.small.command_line("queue", "run", LD_PRELOAD=LIBRARY, FAILING_DISK=line,
                                       FAILING_DISK_FAULT="enospc", FAILING_DISK_FROM=5, FAILING_DISK_TO=12)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("nothing begins before"), 1, done.stderr)
        self.assertIn("queue.json", done.stderr)
        for name in ("first", "second"):
            self.is_whole(self.out / name)
        stored = json.loads((line / "queue.json").read_text())
        self.assertEqual(stored["waiting"], [])
        self.assertEqual([run.get("ended") for run in stored["begun"]], [True, True])

    def test_a_machine_that_slept_is_told(self):
        """The run goes on, and says in its journal and to who looks how long it was away."""
        slept = self.work / "slept"
        long = small_run.SmallRun(ROUNDPIPE, self.work, "lora", 100000)
        process = long.begin(self.out, LD_PRELOAD=SLEEPING_MACHINE, SLEEPING_MACHINE=slept)
        journal = self.out / "journal.jsonl"
        try:
            self.wait_for(process, lambda: (self.out / "metrics.jsonl").exists())
            time.sleep(2.5)  # it has looked at the clocks
            self.assertNotIn("has slept", journal.read_text())
            slept.write_text("5400")
            self.wait_for(process, lambda: "has slept" in journal.read_text())
            steps = len(small_run.losses(self.out))
            self.wait_for(process, lambda: len(small_run.losses(self.out)) > steps + 2)
            self.assertEqual(journal.read_text().count("has slept"), 1, "it slept once")
            self.assertIn("1 h 30 min", journal.read_text())
            process.terminate()
            process.wait(small_run.LIMIT)
        finally:
            process.kill()
            process.wait()

    def wait_for(self, process, holds):
        end = time.monotonic() + small_run.LIMIT
        while not holds():
            self.assertIsNone(process.poll(), "it has ended")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_a_machine_whose_memory_runs_out_ends_the_run_before_the_kernel_does(self):
        """The run saves, says why, and goes on where there is memory again."""
        machine = self.work / "machine"
        machine.mkdir()
        (machine / "meminfo").write_text("MemAvailable: 400000 kB\n")
        for share, word in ((30, "Close some"), (90, "is used up")):
            (machine / "pressure").write_text("some avg10={0}.00 avg60=0 avg300=0 total=1\nfull avg10={0}.00 avg60=0 avg300=0 total=1\n".format(share))
            out = self.work / f"pressed-{share}"
            long = small_run.SmallRun(ROUNDPIPE, self.work, "lora", STEPS if share < 40 else 100000)
            done = long.run(out, LD_PRELOAD=SHORT_MEMORY, SHORT_MEMORY=machine)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.returncode, 0 if share < 40 else 6, done.stderr)
        steps = len(small_run.losses(out))
        done = small_run.SmallRun(ROUNDPIPE, self.work, "lora", steps + 2).run(out, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(small_run.losses(out)), steps + 2)
        self.assertIn("used up", (out / "journal.jsonl").read_text())

    def test_a_checkpoint_that_cannot_be_read_is_told(self):
        self.assertEqual(self.small.run(self.out).returncode, 0)
        done = self.on_bad_disk(self.out, "eio-read", 0, 0, "--resume", "--max-steps", STEPS + 2)
        self.assertIn(done.returncode, (2, 4), done.stderr)
        self.assertIn("Input/output error", done.stderr)
        self.assertIn(str(self.out), done.stderr)

    def test_a_byte_that_changed_in_a_checkpoint_is_never_trained_on(self):
        longer = self.work / "longer"
        constant = ("--schedule", "constant", "--keep-checkpoints", "2")
        self.assertEqual(self.small.run(longer, *constant, "--max-steps", STEPS + 2).returncode, 0)
        expected = small_run.losses(longer)
        first = self.out.with_name("first")
        self.assertEqual(self.small.run(first, *constant).returncode, 0)
        rng = random.Random(1)
        files = sorted(path.name for path in (first / "checkpoints" / "last").iterdir())
        self.assertIn("manifest.json", files)
        for name in files:
            with self.subTest(file=name):
                out = self.out.with_name(f"damaged-{name}")
                shutil.copytree(first, out)
                shutil.rmtree(out / "checkpoints" / "best")
                path = out / "checkpoints" / "last" / name
                content = bytearray(path.read_bytes())
                at = rng.randrange(len(content))
                while name == "manifest.json" and chr(content[at]).isspace():
                    at = rng.randrange(len(content))
                content[at] ^= 1 << rng.randrange(8)
                path.write_bytes(content)
                done = self.small.run(out, *constant, "--resume", "--max-steps", STEPS + 2)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("A newer checkpoint is damaged and was passed over", done.stderr)
                self.assertIn(str(out / "checkpoints" / "last" / ("" if name == "manifest.json" else name)), done.stderr)
                self.assertEqual(small_run.losses(out), expected)
                self.assertEqual(small_run.weights(out), small_run.weights(longer))


if __name__ == "__main__":
    unittest.main()
