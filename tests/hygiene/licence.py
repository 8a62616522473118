# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source file begins with the licence's SPDX line, below `#!` where there is one. `--mend` writes it where it is missing."""

import os
import sys

import tree

LINE = "SPDX-License-Identifier: GPL-3.0-or-later"
SLASHES = (*tree.CPP, ".rs")
HASHES = (".py", ".sh", ".cmake", "CMakeLists.txt")


def is_script(path):
    with open(os.path.join(tree.ROOT, path), "rb") as file:
        return file.read(2) == b"#!"


def mended(text, line):
    first, rest = text.split("\n", 1) if text.startswith("#!") else ("", text)
    return (first + "\n" if first else "") + line + "\n" + rest


problems = []
checked = 0
for path in tree.files():
    if not path.endswith(SLASHES + HASHES) and (path.endswith((".md", ".zst")) or not is_script(path)):
        continue
    checked += 1
    text = tree.read(path)
    if LINE in "\n".join(text.splitlines()[:2]):
        continue
    if sys.argv[1:] == ["--mend"]:
        with open(os.path.join(tree.ROOT, path), "w", encoding="utf-8") as file:
            file.write(mended(text, ("// " if path.endswith(SLASHES) else "# ") + LINE))
    else:
        problems.append(f"{path}: does not begin with its licence; write it by tests/hygiene/licence.py --mend")
tree.finish("licence, files", problems, checked)
