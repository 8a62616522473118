# SPDX-License-Identifier: GPL-3.0-or-later
"""What reference.py and trl_reference.py share: the fixtures, tokenizers as folders, and our own side."""

import contextlib
import gzip
import json
import os
import shutil
import subprocess
import tempfile

SKIPPED = 77
HARD_TEXTS = ("plain", "Grüß Gott, 你好 👋🏽", "  spaces around \n", "def f(x):\n    return x ** 2\n", "e\u0301 and é", "<b>&amp;</b>")


def fixtures_of(checkout):
    """Their folder, or None, having said so."""
    folder = os.environ.get("ROUNDPIPE_FIXTURES") or os.path.join(os.path.dirname(checkout), "shared/fixtures")
    if os.path.isdir(folder):
        return folder
    print("skipped: the shared fixtures are not beside this checkout; set ROUNDPIPE_FIXTURES")
    return None


def read_json(path):
    """A list of rows, from JSON or JSONL."""
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else [json.loads(line) for line in file]


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@contextlib.contextmanager
def tokenizer_folder(fixtures, name):
    """A model's folder with the names that files have in one; removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(fixtures, "tokenizers", name)
        for file in os.listdir(source):
            path = os.path.join(source, file)
            plain = file.removesuffix(".gz").replace(".reconstructed", "").replace(".llama-3.2-1B", "")
            with (gzip.open if file.endswith(".gz") else open)(path, "rb") as packed, \
                    open(os.path.join(folder, plain), "wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
        yield folder


def ours(probe, folder, template, data):
    """Number of the row → what data_probe prints of it. `data`: members of a run's section "data"."""
    spec = {"model": {"path": folder, "chat_template": template or ""},
            "data": {"max_length": 1 << 30, "validation_fraction": 0, "min_trained_share": 0, "cache": False, **data}}
    printed = subprocess.run([probe, json.dumps(spec)], capture_output=True, text=True, check=False)
    if printed.returncode != 0:
        raise RuntimeError(printed.stderr)
    return {row["number"]: row for row in map(json.loads, printed.stdout.splitlines())}
