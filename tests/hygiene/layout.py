# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout: what lies at the top, a README in every folder and room that has code, and no machine's own paths in any
file."""

import os
import re

import tree

TOP = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "app", "core", "ui", "resources", "packaging", "tests"}
# Written in pieces, so that this file does not find itself.
OF_A_MACHINE = re.compile("/" + r"(root|home/\w+|work)/" + r"|https?://[^ ]*(py" + "pi|python" + "hosted|crates" + r"\.io|deb" + "ian)")

problems = []
for name in sorted(os.listdir(tree.ROOT)):
    if name not in TOP and name not in tree.NOT_OURS and not name.startswith("."):
        problems.append(f"{name}: the top level holds {', '.join(sorted(TOP))} and dot-files only")
for base in ("core", "ui", "app"):
    for folder in sorted({os.path.dirname(path) for path in tree.files(base, tree.CPP)}):
        if not os.path.exists(os.path.join(tree.ROOT, folder, "README.md")):
            problems.append(f"{folder}: has code but no README.md")
NAMES_ITS_OWN = (".git", "Cargo.lock")  # where a worktree's repository is, and the crates' registry
texts = [path for path in tree.files() if not path.endswith(NAMES_ITS_OWN) and "\0" not in tree.read(path)]
for path in texts:
    for number, line in enumerate(tree.read(path).splitlines(), 1):
        if OF_A_MACHINE.search(line):
            problems.append(f"{path}:{number}: names one machine's path or a registry's address: {line.strip()[:80]}")
tree.finish("layout, files", problems, len(texts))
