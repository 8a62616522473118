"""What the hygiene checks share: the project's files, their includes, and how a check ends."""

import os
import re
import sys

ROOT = os.environ.get("ROUNDPIPE_TREE") or os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
NOT_OURS = {"build", "target", "__pycache__", ".git", ".cache"}
CPP = (".h", ".cpp", ".cu", ".cuh")


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


def folder_table():
    """The table of core/README.md: folder -> names that it may use, directly or through what it uses."""
    direct = {}
    for name, uses in re.findall(r"^\| (\w+) \|[^|]*\| ([^|]*) \|$", read("core/README.md"), re.MULTILINE):
        if name == "folder":
            continue
        words = set(re.findall(r"\w+", uses))
        direct[name] = set(direct) | {"LibTorch"} if "above" in words else words
    closed = {}
    for name, uses in direct.items():  # in the order of dependence, so what is used is already closed
        closed[name] = uses.union(*(closed.get(use, set()) for use in uses))
    if not closed:
        finish("tree", ["core/README.md: the folder table was not found"], 0)
    return closed


def finish(what, problems, checked):
    """Prints the verdict and ends the program."""
    for problem in problems:
        print(problem)
    print(f"{what}: {checked} checked, {len(problems)} problems")
    sys.exit(1 if problems else 0)
