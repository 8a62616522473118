# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks themselves: a small tree with one offence of each kind, each of which must be named."""

import json
import os
import re
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
| engine | e | device, session |

`base` and `plan` have public headers that include only the standard library.
"""
ROOMS = """| room | its one job | may use |
|---|---|---|
| top | t | – |
| cost | c | top, search |
| rig | r | cost |
"""
TREE = {
    "core/README.md": TABLE,
    "core/CMakeLists.txt": "add_subdirectory(base)\nadd_subdirectory(device)\nadd_subdirectory(plan)\n",
    "core/base/CMakeLists.txt": "roundpipe_library(base SOURCES qt.cpp)\n",
    "core/device/CMakeLists.txt": "roundpipe_library(device PUBLIC roundpipe::base roundpipe::plan)\n",
    "core/plan/CMakeLists.txt": "roundpipe_library(plan PUBLIC roundpipe::base)\n",
    "CMakeLists.txt": "project(roundpipe VERSION 0.2.0)\n",
    "core/base/error.cpp": 'case ErrorKind::kOdd:\n    return "odd";\n',
    "core/base/licensed.h": "// SPDX-License-Identifier: GPL-3.0-or-later\n",
    "core/base/qt.cpp": "#include <QString>\n",
    "core/base/torch.cpp": "#include <ATen/ATen.h>\n",
    "core/base/up.cpp": '#include "plan/plan.h"\n',
    "core/base/third.h": "#include <fmt/format.h>\nstruct Twice {};\nstruct Once;\n",
    "core/base/needy.h": "std::string name();\n",
    "core/blocks/README.md": "| file | library |\n|---|---|\n| `work.cpp` | plan |\n",
    "core/blocks/odd/work.cpp": '#include "device/fine.h"\n#include "base/third.h"\n',
    "core/device/kernel.cu": "#include <torch/torch.h>\n",
    "core/device/fine.h": "struct Once {\n  struct Inner {};\n};\nstruct Box<float> {};\n",
    "core/device/fine.cpp": '#include "base/third.h"\n#include <ATen/ATen.h>\nstruct Twice {};\nstruct Once::Inner {};\nstruct Own {};\n',
    "core/engine/engine.h": "using Twice = int;\nstruct Box<int> {};\n",
    "core/plan/README.md": ROOMS,
    "core/plan/plan.h": "enum class Twice;\nstruct Deep {\n  struct Twice {};\n};\n",
    "core/plan/ugly.cpp": "int  f( ){return 1;}\n",
    "core/plan/cost/cost.h": '#pragma once\n#include "plan/plan.h"\n#include "plan/rig/rig.h"\n',
    "core/plan/cost/README.md": "",
    "core/plan/rig/rig.h": '#pragma once\n#include "plan/cost/cost.h"\n',
    "core/plan/stray/stray.h": "int h();\n",
    "core/stray/stray.cpp": "int g();\n",
    "ui/README.md": "| folder | its one job | may use |\n|---|---|---|\n| shell | s | base |\n",
    "ui/CMakeLists.txt": "add_subdirectory(shell)\n",
    "ui/shell/CMakeLists.txt": "roundpipe_ui_library(shell LINK roundpipe::base)\n",
    "ui/shell/cuda.cpp": "#include <cuda_runtime.h>\n",
    "ui/shell/engine.cpp": '#include "engine/engine.h"\n#include "base/third.h"\n',
    "app/cli/model/look.cpp": "void f() { add(\"look\", \"Look.\"); getenv(\"HF_ODD\"); }\n",
    "app/studio/both.cpp": "#include <QString>\n#include <torch/torch.h>\n",
    "core/text/crate/jinja/Cargo.toml": "",
    "core/text/crate/jinja/src/lib.rs": "mod tree;\nmod room;\npub use room::{value::Value, fine};\n",
    "core/text/crate/jinja/src/tree.rs": "use crate::room::{fine::*, value::{self, Value}};\n",
    "core/text/crate/jinja/src/room/mod.rs": "pub mod value;\npub mod fine;\n",
    "core/text/crate/jinja/src/room/value.rs": "pub fn g() { super::super::tree::f() }\n",
    "core/text/crate/jinja/src/room/fine.rs": "// crate::tree\n#[cfg(test)]\nmod tests { use crate::tree; }\n",
    "resources/manual/README.md": "[lost](lost.md) [there](page.md#a-heading-of-it) [no](page.md#none) `[code](x)` [out](https://x)\n",
    "resources/manual/page.md": "# A heading, of it\n`train --lost`, `--kept`, `lora.lost`, or lora.ended.\n`roundpipe look` `roundpipe show`\n`vllm --theirs`\n",
    "resources/manual/settings.md": "Option `--kept`.\n",
    "resources/manual/quick-start.md": "*Kept → Open… → Lost*\n",
    "ui/translations/roundpipe_de.ts": "<source>&amp;Kept</source><source>Open…</source>",
    "extra/file.txt": "",
    ".github/CONTRIBUTING.md": "| rung | folders | knows |\n|---|---|---|\n| words | base | numbers |\n| plan | plan, device | a rig |\n",
    "packaging/path.txt": "/" + "root/x\n",
    "packaging/script": "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n# /" + "root/x\n",
    ".clang-format": "BasedOnStyle: LLVM\n",
}
CASES = {
    "include_rules": ["core/base/qt.cpp:1", "core/base/third.h:1", "core/device/kernel.cu:1", "ui/shell/cuda.cpp:1",
                      "app/studio/both.cpp"],
    "folder_tables": ["core/base/torch.cpp:1: includes ATen/ATen.h, but the row of base", "core/base/up.cpp:1: includes plan/plan.h",
                      "core/blocks/odd/work.cpp:1: includes device/fine.h, but the row of plan", "the row of engine names session, of which", "the row of engine names session, which has no row above it",
                      "core/README.md: has no row for stray", "core/CMakeLists.txt: builds base, device, plan, but",
                      "core/device/CMakeLists.txt: links plan", "core/device/CMakeLists.txt: does not link LibTorch",
                      "core/plan/cost/cost.h:3: includes plan/rig/rig.h, but the row of cost in core/plan/README.md",
                      "core/plan/README.md: the row of cost names search, of which",
                      "core/plan/README.md: the row of cost names search, which has no row above it",
                      "core/plan/README.md: has no row for stray, a room", ".github/CONTRIBUTING.md: has engine on no rung",
                      "ui/shell/engine.cpp:1: includes engine/engine.h, but the row of shell in ui/README.md"],
    "names": ["core/base/qt.cpp: has no header of its name", "the exception app/*/main.cpp fits no source",
              "no type within a type is called Kind",
              "Twice: is a type in core/base/third.h, core/device/fine.cpp, core/engine/engine.h, core/plan/plan.h;"],
    "headers_alone": ["core/base/needy.h does not compile alone"],
    "compile_commands": ["ui/shell/cuda.cpp.o: is compiled with", "core/base/qt.cpp.o: is compiled with"],
    "rust_circles": ["core/text/crate/jinja: a circle of use among room::value, tree\n"],
    "links": ["README.md: links to lost.md, which is not there", "links to page.md#none, a heading that"],
    "manual": ["errors.md: does not have the kind of error odd", "core/base/choices.h: has no list", "no settings were found",
               "resources/manual/page.md:2: names the option --lost", "names the setting lora.lost", "names the setting lora.ended", "names the command roundpipe show, which", "have the variable HF_ODD", "quick-start.md: names *Lost*, which the window does not show", "resources/manual/page.md: is not in the contents", "CMakeLists.txt says 0.2.0, packaging/installed/changelog says none"],
    "layout": ["extra: the top level", "core/base: has code but no README.md", "core/plan/rig: has code but no README.md", "packaging/path.txt:1", "packaging/script:3"],
    "licence": ["core/base/third.h: does not begin with its licence"],
    "formatting": ["core/plan/ugly.cpp: not formatted"],
}
FINE = r".*licensed\.h|(?!.*its licence)(core/device/fine|.*--(kept|theirs)|Once|Own|Box|.*roundpipe look,|core/plan/(cost/cost.h:2|rig/rig.h)|resources.*links to (page.md#a|x,|https))"  # where there is no offence

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
        wrong = [line for line in run.stdout.splitlines() if re.match(FINE, line)]
        if run.returncode != 1 or unseen or wrong:
            failed = True
            print(f"{check}: exit {run.returncode}, not named: {unseen}, wrongly named: {wrong}\n{run.stdout}{run.stderr}")
    print("the checks find every offence" if not failed else "a check is blind")
    sys.exit(failed)
