# SPDX-License-Identifier: GPL-3.0-or-later
"""Every C++ and CUDA file is laid out as .clang-format says, by the one version that packaging/ pins."""

import os
import subprocess
import sys

import tree

sources = tree.files(endings=tree.CPP)
run = subprocess.run([sys.argv[1], "--dry-run", "-Werror", *(os.path.join(tree.ROOT, path) for path in sources)],
                     capture_output=True, text=True)
named = sorted({line.split(":")[0] for line in run.stderr.splitlines() if "clang-format-violations" in line})
problems = [f"{os.path.relpath(path, tree.ROOT)}: not formatted; run clang-format -i on it" for path in named]
if run.returncode != 0 and not problems:
    problems = [run.stderr]
tree.finish("formatting, files", problems, len(sources))
