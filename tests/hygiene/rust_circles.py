# SPDX-License-Identifier: GPL-3.0-or-later
"""No circles among the modules of core/text's Rust crates: what two modules need of each other lies in a third."""

import os
import re

import tree

WORKSPACE = "core/text/crate"
PATH = re.compile(r"\b(?:crate|super|self)(?:::\w+)+")


def modules_of(crate):
    """Module path -> file, of a crate's src folder; () is the crate's root."""
    modules = {}
    for path in tree.files(f"{crate}/src", ".rs"):
        parts = os.path.relpath(path, f"{crate}/src").removesuffix(".rs").split("/")
        modules[tuple(parts if parts[-1] not in ("lib", "mod") else parts[:-1])] = path
    return modules


def spread(text):
    """The paths of a use tree: a::{b, c::{d, e}} -> a::b, a::c::d, a::c::e."""
    text = text.strip()
    opening = text.find("{")
    if opening < 0:
        return [text]
    depth, start, found = 0, opening + 1, []
    for at in range(opening, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if (text[at] == "," and depth == 1) or depth == 0:
            found += [text[:opening] + path for path in spread(text[start:at]) if path]
            start = at + 1
        if depth == 0:
            break
    return found


def uses_of(module, path, modules):
    """The modules of the same crate that a module names, itself left out."""
    source = re.sub(r"//.*", "", tree.read(path)).split("#[cfg(test)]")[0]
    paths = [used for use in re.findall(r"\buse\s+([^;]+);", source) for used in spread(use)]
    used = set()
    for written in paths + PATH.findall(source):
        parts = re.findall(r"\w+", written.split(" as ")[0])
        if parts[:1] == ["crate"]:
            full = tuple(parts[1:])
        elif parts[:1] in (["super"], ["self"]):
            full = module
            while parts[:1] in (["super"], ["self"]):
                full = full[:-1] if parts.pop(0) == "super" else full
            full += tuple(parts)
        elif (*module, *parts[:1]) in modules:
            full = (*module, *parts)
        else:
            continue  # another crate's
        while full not in modules:
            full = full[:-1]
        used.add(full)
    return used - {module}


def circles(edges):
    """The sets of modules that reach one another (strongly connected components of more than one)."""
    def reached(start):
        seen, left = set(), [start]
        while left:
            for following in edges[left.pop()] - seen:
                seen.add(following)
                left.append(following)
        return seen

    reach = {module: reached(module) for module in edges}
    groups = {frozenset(other for other in reach[module] if module in reach[other]) for module in edges}
    return [sorted(group) for group in groups if group]


problems = []
checked = 0
for manifest in tree.files(WORKSPACE, "Cargo.toml"):
    crate = os.path.dirname(manifest)
    modules = modules_of(crate)
    edges = {module: uses_of(module, path, modules) for module, path in modules.items()}
    checked += len(modules)
    for group in circles(edges):
        names = ", ".join("::".join(module) or "the crate's root" for module in group)
        problems.append(f"{crate}: a circle of use among {names}")
tree.finish("rust circles, modules", problems, checked)
