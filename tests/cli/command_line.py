# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the command line have in common: the program, a small model and its rows in a folder of their own."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from safetensors.torch import load_file, save_file

import tiny_models

ROUNDPIPE = sys.argv.pop(1)
INVALID_INPUT, UNSUPPORTED, IO, NO_SPACE, OUT_OF_MEMORY, NOTHING_USABLE, WOULD_NOT_START, NO_ANSWER, STOPPED = 2, 3, 4, 5, 6, 9, 10, 13, 130


def unless_given(more, *usual):
    """The options and values of `usual` that `more` does not give."""
    return [word for pair in zip(usual[::2], usual[1::2]) if pair[0] not in more for word in pair]


def call(*arguments, before=(), **options):
    return subprocess.run([*before, ROUNDPIPE, *map(str, arguments)], capture_output=True, text=True, **options)


# What a command begins with that is bound by permissions; nobody asks the system's administrator for any.
BOUND = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner", "--inh-caps=-all") if os.geteuid() == 0 else ()


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.original = tiny_models.make_model("qwen3", pathlib.Path(cls.shared.name) / "model")

    @classmethod
    def tearDownClass(cls):
        cls.shared.cleanup()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.environ["XDG_CACHE_HOME"] = self.folder.name + "/cache"  # where profiles go
        os.environ["XDG_DATA_HOME"] = self.folder.name + "/home"  # where runs are listed
        self.addCleanup(self.folder.cleanup)
        self.work = pathlib.Path(self.folder.name)
        self.model = self.work / "model"
        shutil.copytree(self.original, self.model)
        self.data = self.model / "rows.jsonl"
        self.out = self.work / "run"

    def train(self, *more, model=None, data=None, out=None, **options):
        return call("train", "--model", model or self.model, "--data", data or self.data, "--out", out or self.out, "--devices",
                    "cpu", *unless_given(more, "--max-steps", 2), *more, **options)

    # A run without an end, once it has done a step.
    def started(self, out, more=(), **options):
        command = [ROUNDPIPE, "train", "--model", self.model, "--data", self.data, "--out", out, "--devices", "cpu",
                   "--max-steps", "1000000", *more]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        deadline = time.time() + 60
        while not (out / "metrics.jsonl").exists() and time.time() < deadline:
            time.sleep(0.05)
        return process

    def metrics(self, out):
        return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]

    def losses(self, out):
        return [line["loss"] for line in self.metrics(out)]

    # Of a folder and all in it, by path: bytes of files, what links lead to.
    def contents(self, folder):
        def inside(path):
            if path.is_symlink():
                return "to " + os.readlink(path)
            return path.read_bytes() if path.is_file() else None

        return {str(path.relative_to(folder)): inside(path) for path in sorted(folder.rglob("*"))} if folder.is_dir() else inside(folder)

    def refused(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("error: ") or "error: " in done.stderr, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def edit(self, name, change):
        path = self.model / name
        content = json.loads(path.read_text())
        change(content)
        path.write_text(json.dumps(content))

    def rewrite_weights(self, change):
        tensors = load_file(self.model / "model.safetensors")
        change(tensors)
        save_file(tensors, self.model / "model.safetensors", metadata={"format": "pt"})
