"""The checks themselves: a small tree with one offence of each kind, each of which must be named."""

import json
import os
import subprocess
import sys
import tempfile

COMPILER, CLANG_FORMAT = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = """| folder | its one job | may use |
|---|---|---|
| base | b | – |
| plan | p | base |
| device | d | base, LibTorch |
| engine | e | all above |
"""
TREE = {
    "core/README.md": TABLE,
    "core/base/qt.cpp": "#include <QString>\n",
    "core/base/torch.cpp": "#include <ATen/ATen.h>\n",
    "core/base/up.cpp": '#include "plan/plan.h"\n',
    "core/base/third.h": "#include <fmt/format.h>\n",
    "core/base/needy.h": "std::string name();\n",
    "core/device/kernel.cu": "#include <torch/torch.h>\n",
    "core/device/fine.cpp": '#include "base/third.h"\n#include <ATen/ATen.h>\n',
    "core/plan/ugly.cpp": "int  f( ){return 1;}\n",
    "core/stray/stray.cpp": "int g();\n",
    "ui/shell/cuda.cpp": "#include <cuda_runtime.h>\n",
    "ui/shell/engine.cpp": '#include "engine/engine.h"\n',
    "app/studio/both.cpp": "#include <QString>\n#include <torch/torch.h>\n",
    "core/text/crate/jinja/Cargo.toml": "",
    "core/text/crate/jinja/src/lib.rs": "mod tree;\nmod room;\npub use room::{value::Value, fine};\n",
    "core/text/crate/jinja/src/tree.rs": "use crate::room::{fine::*, value::{self, Value}};\n",
    "core/text/crate/jinja/src/room/mod.rs": "pub mod value;\npub mod fine;\n",
    "core/text/crate/jinja/src/room/value.rs": "pub fn g() { super::super::tree::f() }\n",
    "core/text/crate/jinja/src/room/fine.rs": "// crate::tree\n#[cfg(test)]\nmod tests { use crate::tree; }\n",
    "extra/file.txt": "",
    "packaging/path.txt": "/" + "root/x\n",
    ".clang-format": "BasedOnStyle: LLVM\n",
}
CASES = {
    "include_rules": ["core/base/qt.cpp:1", "core/base/torch.cpp:1", "core/base/up.cpp:1", "core/base/third.h:1",
                      "core/device/kernel.cu:1", "core/stray", "ui/shell/cuda.cpp:1", "ui/shell/engine.cpp:1",
                      "app/studio/both.cpp"],
    "headers_alone": ["core/base/needy.h does not compile alone"],
    "compile_commands": ["ui/shell/cuda.cpp.o: is compiled with", "core/base/qt.cpp.o: is compiled with"],
    "rust_circles": ["core/text/crate/jinja: a circle of use among room::value, tree\n"],
    "layout": ["extra: the top level", "core/base: has code but no README.md", "packaging/path.txt:1"],
    "formatting": ["core/plan/ugly.cpp: not formatted"],
}

with tempfile.TemporaryDirectory() as root:
    for path, text in TREE.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)
    commands = os.path.join(root, "commands.json")
    with open(commands, "w", encoding="utf-8") as file:
        json.dump([{"directory": root, "output": "ui/shell/cuda.cpp.o", "command": "c++ -isystem /x/cuda/include"},
                   {"directory": root, "output": "core/base/qt.cpp.o", "command": "c++ -I/usr/include/qt6"}], file)
    arguments = {"headers_alone": [COMPILER], "compile_commands": [commands], "formatting": [CLANG_FORMAT]}
    failed = False
    for check, offences in CASES.items():
        run = subprocess.run([sys.executable, "-B", os.path.join(HERE, check + ".py"), *arguments.get(check, [])],
                             env={**os.environ, "ROUNDPIPE_TREE": root}, capture_output=True, text=True)
        unseen = [offence for offence in offences if offence not in run.stdout]
        wrong = [line for line in run.stdout.splitlines() if "core/device/fine.cpp" in line]
        if run.returncode != 1 or unseen or (wrong and check == "include_rules"):
            failed = True
            print(f"{check}: exit {run.returncode}, not named: {unseen}, wrongly named: {wrong}\n{run.stdout}{run.stderr}")
    print("the checks find every offence" if not failed else "a check is blind")
    sys.exit(failed)
