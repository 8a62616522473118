# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that lead to one place: each source of ours stands beside the header of its name, no type that a header declares
shares its name with a type of another file, and in core no type within a type does either."""

import fnmatch
import os
import re

import tree

# Sources without a header of their own name, and why.
WITHOUT_HEADER = {
    "app/*/main.cpp": "a program's entry",
    "app/cli/*_command.cpp": "defines a command of commands.h",
    "core/blocks/*.cpp": "answers what a library asks of every type of block",
    "core/device/cuda_absent.cpp": "stands in for cuda_runtime.cpp in a build without CUDA",
    "core/model/attention/cudnn_absent.cpp": "stands in for cuDNN's attention in a build without CUDA",
    "core/model/compute/cublas_absent.cpp": "stands in for cublas_products.cpp in a build without CUDA",
    "core/engine/plugin.cpp": "the symbols of a shared library",
    "core/engine/training_*.cpp": "an idea of the run that training.h declares",
    "core/kernels/cpu/*.cpp": "defines kernels that implementation.h declares for every level",
    "core/kernels/cuda/*.cu": "the same on CUDA",
    "core/kernels/selftest/*.cpp": "the cases of a group of kernels that cases.h declares",
    "ui/translations/core_texts.cpp": "a program's entry",
}
SHORT = {"Json"} # for a library's type, in a source
# What clang-format puts at a line's beginning is declared in a namespace: a type that is defined there, or another name
# of one. Forward declarations end with the name, specialisations have < behind it, what lies in another type has ::.
TYPE = re.compile(r"^(?:typedef )?(?:struct|class|union|enum class|enum(?! class))(?: alignas\(.*\))? (\w+)(?![\w<]|::| *;| \1;)|^using (\w+) =",
                  re.MULTILINE)

# The same inside of another type.
NESTED = re.compile(r"^ +(?:struct|class|union|enum class|enum(?! class))(?: alignas\(.*\))? (\w+)(?![\w<]|::| *;| \1;)|^ +using (\w+) =",
                    re.MULTILINE)
# Names of inner types that mean the same in each of their owners, and what.
OF_ITS_OWNER = {"Kind": "which of the kinds of it", "Parts": "what it is put together from", "Saved": "what backward needs of forward",
                "Scratch": "buffers of both directions", "BackwardScratch": "buffers of one", "Level": "of a pyramid, or of the log"}

problems = []
sources = [path for folder in ("core", "ui", "app") for path in tree.files(folder, (".cpp", ".cu"))]
used = set()
for path in sources:
    stem = os.path.join(tree.ROOT, os.path.splitext(path)[0])
    patterns = {pattern for pattern in WITHOUT_HEADER if fnmatch.fnmatch(path, pattern)}
    if os.path.exists(stem + ".h") or os.path.exists(stem + ".cuh"):
        continue
    used |= patterns
    if not patterns:
        problems.append(f"{path}: has no header of its name beside it, nor a line in tests/hygiene/names.py that says why")
problems += [f"tests/hygiene/names.py: the exception {pattern} fits no source" for pattern in WITHOUT_HEADER.keys() - used]

def types_of(path, pattern=TYPE):
    return {match[1] or match[2] for match in pattern.finditer(tree.read(path))}


places = {}
headers = [path for folder in ("core", "ui", "app") for path in tree.files(folder, (".h", ".cuh"))]
for path in headers:
    for name in types_of(path):
        places.setdefault(name, []).append(path)
for path in sources:
    for name in types_of(path) & places.keys() - SHORT:
        places[name].append(path)
used = set()
for path in headers:
    for name in types_of(path, NESTED) if path.startswith("core/") else ():
        if name in OF_ITS_OWNER:
            used.add(name)
        elif path not in places.setdefault(name, []):
            places[name].append(path)
problems += [f"tests/hygiene/names.py: no type within a type is called {name}" for name in OF_ITS_OWNER.keys() - used]
for name, where in sorted(places.items()):
    if len(where) > 1:
        problems.append(f"{name}: is a type in {', '.join(sorted(where))}; name what each of them is")
tree.finish("names, files", problems, len(sources) + len(headers))
