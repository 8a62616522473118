# SPDX-License-Identifier: GPL-3.0-or-later
"""What the hygiene checks share: the project's files, their includes, and how a check ends."""

import os
import re
import sys

ROOT = os.environ.get("ROUNDPIPE_TREE") or os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
NOT_OURS = {"build", "target", "__pycache__", ".git", ".cache"}
CPP = (".h", ".cpp", ".cu", ".cuh")
THEIRS = {
    "Qt": re.compile(r"(Qt\w*/)?Q[A-Z]\w*$|qcustomplot\.h$"),
    "LibTorch": re.compile(r"(torch|ATen|c10|caffe2)/"),
    "CUDA": re.compile(r"(cuda|cublas|cudnn|nccl|nvml|cooperative_groups)\w*(/|\.h)"),
    "standard": re.compile(r"[a-z_0-9]+$"),  # <vector>, <cstdint>: no folder, no ending
}


def files(folder="", endings=None):
    """Paths relative to the project's root, sorted."""
    found = []
    for parent, folders, names in os.walk(os.path.join(ROOT, folder)):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        for name in names:
            if endings is None or name.endswith(endings):
                found.append(os.path.relpath(os.path.join(parent, name), ROOT))
    return sorted(found)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def includes(path):
    """(line number, header, whether in angle brackets) of each include."""
    for number, line in enumerate(read(path).splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match[2], match[1] == "<"


def kind_of(header, angled):
    """Qt, LibTorch or CUDA for a header of theirs, "standard" for one of the standard library, else nothing."""
    for kind, pattern in THEIRS.items():
        if angled and pattern.match(header):
            return kind
    return ""


def table(readme, head):
    """The table of a README whose first column is headed `head`: row -> the names in its last column. Order is kept."""
    rows = {}
    inside = False
    for line in read(readme).splitlines() if os.path.exists(os.path.join(ROOT, readme)) else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            inside = False
        elif cells[0] == head:
            inside = True
        elif inside and not set(cells[0]) <= set("-: "):
            rows[cells[0].strip("`")] = set(re.findall(r"[\w/]+", cells[-1]))
    return rows


def std_only():
    """The folders of core whose public headers include the standard library only, as core/README.md lists them."""
    said = re.search(r"^(.*) have public headers that include only the standard library", read("core/README.md"), re.MULTILINE)
    return re.findall(r"`(\w+)`", said[1]) if said else []


def core_folder(path):
    """The folder of core whose library a file belongs to; `path` begins below core/. core/blocks has a file for each library
    that asks something of a type of block, as the table of its README says."""
    folder, *rest = path.split("/")
    owner = table("core/blocks/README.md", "file").get(rest[-1], {folder}) if folder == "blocks" and rest else {folder}
    return next(iter(owner))


def std_only_headers():
    mine = set(std_only())
    return [path for path in files("core", ".h") if core_folder(path.removeprefix("core/")) in mine]


def finish(what, problems, checked):
    """Prints the verdict and ends the program."""
    for problem in problems:
        print(problem)
    print(f"{what}: {checked} checked, {len(problems)} problems")
    sys.exit(1 if problems else 0)
