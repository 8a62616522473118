# SPDX-License-Identifier: GPL-3.0-or-later
"""What of others is included where: Qt, LibTorch, CUDA, and the standard library alone in core's lower public headers."""

import tree

STD_ONLY = tree.std_only()


def core_problems(path):
    folder = tree.core_folder(path.removeprefix("core/"))
    for number, header, angled in tree.includes(path):
        where = f"{path}:{number}: includes {header}"
        kind = tree.kind_of(header, angled)
        if kind == "Qt":
            yield f"{where}, but nothing in core may include Qt"
        elif kind == "LibTorch" and path.endswith((".cu", ".cuh")):
            yield f"{where}, but CUDA files include no LibTorch header"
        elif folder in STD_ONLY and path.endswith(".h") and angled and kind != "standard":
            yield f"{where}, but public headers of core/{folder} include the standard library only"


def ui_problems(path):
    for number, header, angled in tree.includes(path):
        kind = tree.kind_of(header, angled)
        if kind in ("LibTorch", "CUDA"):
            yield f"{path}:{number}: includes {header}, but nothing in ui may include {kind}"


def mixture_problems(path):
    kinds = {tree.kind_of(header, angled) for _number, header, angled in tree.includes(path)}
    if {"Qt", "LibTorch"} <= kinds:
        yield f"{path}: includes Qt and LibTorch; no translation unit may see both"


problems = [] if STD_ONLY else ["core/README.md: does not say which folders' headers include only the standard library"]
checked = 0
for folder, rule in (("core", core_problems), ("ui", ui_problems), ("app", mixture_problems), ("tests", mixture_problems)):
    for source in tree.files(folder, tree.CPP):
        problems += rule(source)
        checked += 1
tree.finish("include rules, files", problems, checked)
