# SPDX-License-Identifier: GPL-3.0-or-later
"""Who uses whom, by one list each: the tables of folders (core/README.md, ui/README.md) and, in the README of a folder that
has rooms, its table of rooms. A row names exactly what the files of its folder or room include, and only rows above it,
so that nothing goes in a circle. Folders are linked and built as the table says."""

import os
import re

import tree

CORE = tree.table("core/README.md", "folder")
STD_ONLY = tree.std_only()


def folder_of(path):
    """The folder that a file of core/ or ui/, or an include of one, belongs to, with its side."""
    return ("ui", path.split("/")[1]) if path.startswith("ui/") else ("core", tree.core_folder(path.removeprefix("core/")))


def uses_of_folders(base):
    """folder -> what it uses -> where first: other folders, LibTorch and CUDA."""
    uses = {}
    for path in tree.files(base, tree.CPP):
        mine = uses.setdefault(folder_of(path)[1], {})
        for number, header, angled in tree.includes(path):
            used = tree.kind_of(header, angled)
            if not angled and "/" in header:
                side, used = folder_of(header)
                if side == base and used == folder_of(path)[1] or side == "core" and used not in CORE:
                    continue
            if used not in ("", "Qt", "standard"):
                mine.setdefault(used, f"{path}:{number}: includes {header}")
    return uses


def uses_of_rooms(folder):
    """room -> other rooms -> where first. What lies in the folder itself is the room `top`."""
    uses = {}
    for path in tree.files(folder, tree.CPP):
        room = os.path.dirname(path).removeprefix(folder).strip("/") or "top"
        mine = uses.setdefault(room, {})
        for number, header, angled in tree.includes(path):
            whole = header if header.startswith("ui/") else "core/" + header
            used = os.path.dirname(whole).removeprefix(folder).strip("/") or "top"
            if not angled and whole.startswith(folder + "/") and used != room:
                mine.setdefault(used, f"{path}:{number}: includes {header}")
    return uses


def table_problems(readme, head, uses, outside=()):
    """Of one table against what is really included. `outside`: names that stand in no row of it."""
    rows = tree.table(readme, head)
    above = set(outside)
    for name, may in rows.items():
        used = uses.get(name, {})
        for other in used.keys() - may:
            yield f"{used[other]}, but the row of {name} in {readme} does not name {other}"
        for idle in sorted(may - used.keys()):
            yield f"{readme}: the row of {name} names {idle}, of which {name} includes nothing"
        for later in sorted(may - above):
            yield f"{readme}: the row of {name} names {later}, which has no row above it"
        above.add(name)
        if name not in uses:
            yield f"{readme}: has a row for {name}, where there is no code"
    for name in uses.keys() - rows.keys():
        yield f"{readme}: has no row for {name}, a {head} with code"


def build_problems(base, prefix):
    """The CMake files against the table: who is linked, and in which order the folders are built."""
    rows = tree.table(f"{base}/README.md", "folder")
    built = re.findall(r"^ *add_subdirectory\((\w+)\)", tree.read(f"{base}/CMakeLists.txt"), re.MULTILINE)
    if built != list(rows):
        yield f"{base}/CMakeLists.txt: builds {', '.join(built)}, but the table of {base}/README.md has {', '.join(rows)}"
    for name, may in rows.items():
        file = f"{base}/{name}/CMakeLists.txt"
        text = "".join(map(tree.read, tree.files(f"{base}/{name}", "CMakeLists.txt"))) if name in built else ""
        linked = {other.removeprefix(prefix) for other in re.findall(r"roundpipe::(\w+)", text) if not other.startswith(prefix + name)}
        linked |= {"LibTorch"} if "roundpipe_torch" in text else set()
        for other in sorted(linked - may):
            yield f"{file}: links {other}, which the row of {name} in {base}/README.md does not name"
        for other in sorted(may - linked - {"CUDA"}):
            yield f"{file}: does not link {other}, which the row of {name} in {base}/README.md names"


problems = []
for base, prefix, outside in (("core", "", ("LibTorch", "CUDA")), ("ui", "ui_", STD_ONLY)):
    uses = uses_of_folders(base)
    problems += table_problems(f"{base}/README.md", "folder", uses, outside)
    problems += build_problems(base, prefix)
    for folder in sorted(f"{base}/{name}" for name in uses):
        rooms = uses_of_rooms(folder)
        if rooms.keys() - {"top"}:
            problems += table_problems(f"{folder}/README.md", "room", rooms)
LADDER = ".github/CONTRIBUTING.md"
rungs = re.findall(r"^\| [^|]+ \| ([\w, ]+) \| [^|]+ \|$", tree.read(LADDER) if os.path.exists(os.path.join(tree.ROOT, LADDER)) else "", re.MULTILINE)
named = {name for rung in rungs for name in rung.split(", ")}
problems += [f"{LADDER}: has {name} on no rung, a folder of core" for name in CORE if named and name not in named]
tree.finish("tables of folders and rooms", problems, len(CORE))
