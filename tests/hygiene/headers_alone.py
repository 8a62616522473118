# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles alone every public header that core/README.md says includes only the standard library, with core/ as the only
include path, and checks that nothing but core/ and the compiler's and C library's own headers was read."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import tree

COMPILER = sys.argv[1]
CORE = os.path.join(tree.ROOT, "core")
OF_THE_SYSTEM = re.compile(r"/usr/(lib|include/c\+\+|include/x86_64-linux-gnu|include/(asm-generic|linux))/|/usr/include/[\w-]+\.h$")


def problems_of(header):
    command = [COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-H", "-I", CORE, "-x", "c++", "-"]
    run = subprocess.run(command, input=f'#include "{header.removeprefix("core/")}"\n', capture_output=True, text=True)
    lines = run.stderr.splitlines()
    if run.returncode != 0:
        errors = [line for line in lines if not re.match(r"\.+ ", line)]
        return [f"{header} does not compile alone:", *errors[:10]]
    opened = {os.path.normpath(line.lstrip(". ")) for line in lines if re.match(r"\.+ /", line)}
    foreign = sorted(path for path in opened if not path.startswith(CORE + "/") and not OF_THE_SYSTEM.match(path))
    return [f"{header} reads {path}, which is neither ours nor the standard library's" for path in foreign]


headers = tree.std_only_headers()
with ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = [line for lines in pool.map(problems_of, headers) for line in lines]
tree.finish("headers alone", problems if headers else ["no header was found"], len(headers))
