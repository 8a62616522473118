# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that fails, and checkpoints whose bytes have changed: never another result, always words.

usage: faults.py ROUNDPIPE FAILING_DISK_LIBRARY SHORT_MEMORY_LIBRARY [unittest options]
"""
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

import small_run

ROUNDPIPE, LIBRARY, SHORT_MEMORY = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
STEPS = 12


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

    def on_bad_disk(self, out, fault, first=0, last=0, *more):
        return self.small.run(out, *more, LD_PRELOAD=LIBRARY, FAILING_DISK=out, FAILING_DISK_FAULT=fault,
                              FAILING_DISK_FROM=first, FAILING_DISK_TO=last)

    def is_whole(self, out):
        self.assertEqual(small_run.losses(out), self.losses)
        self.assertEqual(small_run.weights(out), self.weights)

    def test_short_writes_change_nothing(self):
        done = self.on_bad_disk(self.out, "short")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.is_whole(self.out)

    def test_a_disk_that_fails_for_a_while_or_for_good_loses_no_checkpoint(self):
        seed = random.SystemRandom().randrange(1 << 31)
        rng = random.Random(seed)
        print(f"seed {seed}", file=sys.stderr)
        ends = {}
        for fault in ("enospc", "eio"):
            for number in range(6):
                first = rng.randrange(1, 400)
                last = rng.choice((first, first + rng.randrange(1, 200), 1 << 40))
                out = self.out.with_name(f"{fault}{number}")
                with self.subTest(fault=fault, calls=(first, last), seed=seed):
                    done = self.on_bad_disk(out, fault, first, last)
                    self.assertGreaterEqual(done.returncode, 0, "it was ended by a signal")
                    self.assertIn(done.returncode, (0, 4, 5), done.stderr)
                    ends[fault, done.returncode] = ends.get((fault, done.returncode), 0) + 1
                    if done.returncode != 0:
                        self.assertIn("error: ", done.stderr)
                        self.assertIn(str(out), done.stderr)
                    elif last - first > 100:
                        self.assertIn("warning: ", done.stderr)
                    # The disk is whole again.
                    done = self.small.run(out, "--resume") if (out / "run.json").exists() else self.small.run(out)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    found = small_run.losses(out)
                    self.assertEqual({step: self.losses[step] for step in found}, found)
                    self.assertEqual(small_run.weights(out), self.weights)
        print(ends, file=sys.stderr)

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
