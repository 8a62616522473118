"""Which folder may include what: Qt, LibTorch, CUDA, and the folder table of core/README.md."""

import re

import tree

STD_ONLY = ("base", "batch", "trace", "arch", "plan", "session")
UI_MAY_USE = {"base", "trace", "arch", "plan", "session"}
STANDARD_HEADER = re.compile(r"[a-z_0-9]+")  # <vector>, <cstdint>: no folder, no ending
LIBTORCH = re.compile(r"(torch|ATen|c10|caffe2)/")
CUDA = re.compile(r"(cuda|cublas|cudnn|nccl|nvml|cooperative_groups)\w*(/|\.h)")
QT = re.compile(r"(Qt\w*/)?Q[A-Z]\w*$|qcustomplot\.h$")


def seen(path):
    """(line, header, kind) of each include; kind is Qt, LibTorch, CUDA, a core folder's name, or other."""
    for number, header, angled in tree.includes(path):
        first = header.split("/")[0]
        if QT.match(header):
            kind = "Qt"
        elif LIBTORCH.match(header):
            kind = "LibTorch"
        elif CUDA.match(header):
            kind = "CUDA"
        elif not angled and "/" in header and first in TABLE:
            kind = first
        else:
            kind = "other"
        yield number, header, angled, kind


TABLE = tree.folder_table()


def core_problems(path):
    folder = path.split("/")[1]
    if folder not in TABLE:
        yield f"{path}: core/{folder} is not in the folder table of core/README.md"
        return
    for number, header, angled, kind in seen(path):
        where = f"{path}:{number}: includes {header}"
        if kind == "Qt":
            yield f"{where}, but nothing in core may include Qt"
        elif kind == "LibTorch" and "LibTorch" not in TABLE[folder]:
            yield f"{where}, but core/{folder} may not use LibTorch"
        elif kind == "LibTorch" and path.endswith((".cu", ".cuh")):
            yield f"{where}, but CUDA files include no LibTorch header"
        elif kind in TABLE and kind != folder and kind not in TABLE[folder]:
            yield f"{where}, but core/{folder} may not use core/{kind} (core/README.md)"
        if folder in STD_ONLY and path.endswith(".h") and angled and not STANDARD_HEADER.fullmatch(header):
            yield f"{where}, but public headers of core/{folder} include the standard library only"


def ui_problems(path):
    for number, header, _angled, kind in seen(path):
        if kind in ("LibTorch", "CUDA") or (kind in TABLE and kind not in UI_MAY_USE):
            yield f"{path}:{number}: includes {header}, but ui sees session, trace and the structs of arch and plan only"


def mixture_problems(path):
    kinds = {kind for _number, _header, _angled, kind in seen(path)}
    if {"Qt", "LibTorch"} <= kinds:
        yield f"{path}: includes Qt and LibTorch; no translation unit may see both"


problems = []
checked = 0
for folder, rule in (("core", core_problems), ("ui", ui_problems), ("app", mixture_problems), ("tests", mixture_problems)):
    for source in tree.files(folder, tree.CPP):
        problems += rule(source)
        checked += 1
tree.finish("include rules, files", problems, checked)
