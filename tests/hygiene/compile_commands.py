# SPDX-License-Identifier: GPL-3.0-or-later
"""What the compiler is really given: ui never has LibTorch's or CUDA's folders on its include path, core never Qt's."""

import json
import sys

import tree

FORBIDDEN = {"ui": ("/torch/", "/nvidia/", "/cuda/"), "core": ("/qt6", "/qt5", "qcustomplot")}

problems = []
with open(sys.argv[1], encoding="utf-8") as file:
    commands = json.load(file)
for entry in commands:
    source = entry["output"]  # lies as its folder does; the file may be one of CMake's that includes several
    words = entry["command"].split()
    folders = [word for before, word in zip(words, words[1:]) if before in ("-I", "-isystem", "-iquote")]
    folders += [word[2:] for word in words if word.startswith("-I")]
    for part in FORBIDDEN.get(source.split("/")[0], ()):
        problems += [f"{source}: is compiled with {folder}" for folder in folders if part in folder.lower() + "/"]
tree.finish("compile commands", problems, len(commands))
