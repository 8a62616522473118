# SPDX-License-Identifier: GPL-3.0-or-later
"""What two programs left for one case: equal, different as was expected, or different, and where first."""
import dataclasses
import difflib
import filecmp
import fnmatch
import itertools
import json
import re

CONTEXT_LINES, SHOWN_LINES = 3, 40


@dataclasses.dataclass(frozen=True)
class Allowance:
    """A difference that is expected. Case and output are patterns with *; of what they match, lines of a JSON key (and all
    below it) or what a regular expression finds are taken out of both sides."""
    reason: str
    case: str = "*"
    output: str = "*"
    key: str | None = None
    pattern: str | None = None

    def covers(self, case, output):
        return fnmatch.fnmatchcase(case, self.case) and fnmatch.fnmatchcase(output, self.output)

    def without(self, lines):
        if self.pattern is not None:
            return re.sub(self.pattern, "", "\n".join(lines), flags=re.MULTILINE).split("\n")
        return [line for line in lines if not self._is_below(line.partition(" = ")[0])]

    def _is_below(self, path):
        parts = path.split(".")
        return any(fnmatch.fnmatchcase(".".join(parts[:count]), self.key) for count in range(1, len(parts) + 1))


# What two runs of one program differ in, too.
LEFT_OUT_FILES = {
    "cache/*": "a program's own: tokens and profiles in formats of its version, checked by what is read back from them",
    "temporary/*": "the same",
    "*/run.log": "times of day",
    "*/trace.json": "times of every slice",
    "*/trace.rptrace": "times of every slice",
}
LEFT_OUT_KEYS = (Allowance("how long a step took", output="*/metrics.jsonl", key="*seconds"),
                 Allowance("when a run began and ended", output="*/status.json", key="*_at"),
                 Allowance("when something happened to a run", output="*/journal.jsonl", key="*.time"),
                 Allowance("how long after its beginning", output="*/journal.jsonl", key="*.elapsed"),
                 Allowance("the name that a run draws", output="*/journal.jsonl", key="*.run"),
                 Allowance("the name that a run draws", output="*/run.lock", key="runs"),
                 Allowance("the name that a run draws", output="*/status.json", key="run"),
                 Allowance("the name that a run draws", output="*/adapter/manifest.json", key="run"),
                 Allowance("the name that a run draws", output="*/model/manifest.json", key="run"),
                 Allowance("the name that a run draws", output="*/checkpoints/*/state.json", key="run"),
                 Allowance("the name that a run draws", output="*/checkpoints/*/manifest.json", key="files.state.json.xxh3"),
                 Allowance("how long a checkpoint took", output="*/journal.jsonl", pattern=r"(?<= in )[0-9.]+(?= s\")"))


def read_allowances(path):
    """Raises ValueError naming the entry that is wrong."""
    names = [field.name for field in dataclasses.fields(Allowance)]
    entries, allowances = json.loads(path.read_text(encoding="utf-8")), []
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"{path} is no list of objects")
    for number, entry in enumerate(entries, 1):
        where = f"{path}, entry {number}"
        if unknown := set(entry) - set(names):
            raise ValueError(f"{where}: there is no '{min(unknown)}'; known are {', '.join(names)}")
        if not str(entry.get("reason", "")).strip():
            raise ValueError(f"{where}: gives no reason")
        if ("key" in entry) == ("pattern" in entry):
            raise ValueError(f"{where}: give a key or a pattern")
        if not all(isinstance(value, str) for value in entry.values()):
            raise ValueError(f"{where}: has a value that is no text")
        if "pattern" in entry:
            try:
                re.compile(entry["pattern"])
            except re.error as error:
                raise ValueError(f"{where}: {error}") from error
        allowances.append(Allowance(**entry))
    return allowances


class Spelled(str):
    """A number as the file spells it: 1.0 is not 1.00."""


def flattened(value, path=""):
    """A JSON value as lines "a.0.b = 1.5", in the file's order."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if children is None or not value:
        yield f"{path} = {value if isinstance(value, Spelled) else json.dumps(value, ensure_ascii=False)}"
        return
    for key, child in children:
        yield from flattened(child, f"{path}.{key}" if path else str(key))


def parsed(text):
    return json.loads(text, parse_float=Spelled, parse_int=Spelled, parse_constant=Spelled)


def text_lines(data):
    """Bytes as lines: of what is no text its bytes, of what is missing that it is."""
    if data is None:
        return ["(missing)"]
    try:
        return data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return [f"{begin:08x} {data[begin:begin + 16].hex(' ')}" for begin in range(0, len(data), 16)]


def lines(data, path=""):
    """The same, of JSON by keys, which `path` stands before."""
    try:
        return list(flattened(parsed(data.decode("utf-8")), path))
    except (AttributeError, ValueError):  # missing, or no JSON
        return text_lines(data)


def is_json_rows(data):
    rows = data.rstrip(b"\n").split(b"\n") if data else []
    return len(rows) > 1 and all(row.startswith(b"{") and row.endswith(b"}") for row in rows)


def differing_parts(before, after):
    """(path, data of both): of JSON a row each row that differs, as the files may be hundreds of megabytes; else all."""
    if not (is_json_rows(before) and is_json_rows(after)):
        yield "", (before, after)
        return
    for number, rows in enumerate(itertools.zip_longest(before.split(b"\n"), after.split(b"\n"))):
        if rows[0] != rows[1]:
            yield str(number), rows


def first_difference(before, after):
    """A unified diff from a little before the first line that differs."""
    begin = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
    begin = max(0, begin - CONTEXT_LINES)
    cut = [[line[:400] for line in lines[begin:begin + SHOWN_LINES]] for lines in (before, after)]
    shown = list(difflib.unified_diff(*cut, "BEFORE", "AFTER", f"from line {begin + 1}", lineterm="", n=CONTEXT_LINES))
    return shown[:SHOWN_LINES]


@dataclasses.dataclass
class Verdict:
    """Of one case's outputs, by name: how many are equal, which are as allowed and by what, which differ and how."""
    equal: int = 0
    allowed: dict = dataclasses.field(default_factory=dict)
    different: dict = dataclasses.field(default_factory=dict)

    @property
    def num_outputs(self):
        return self.equal + len(self.allowed) + len(self.different)


def outputs_in(folder):
    names = (str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return {name for name in names if not any(fnmatch.fnmatchcase(name, pattern) for pattern in LEFT_OUT_FILES)}


def compare_output(data, allowances):
    """(the allowances that were needed, the first difference that remains) of two files' bytes."""
    used = set()
    for path, part in differing_parts(*data):
        sides = spelled = [lines(side, path) for side in part]
        for allowance in allowances:
            without = [allowance.without(side) for side in sides]
            if without != sides:
                used.add(allowance)
                sides = without
        if spelled[0] == spelled[1]:
            sides = [text_lines(side) for side in part]  # the same values, with other blanks
        if sides[0] != sides[1]:
            return used, first_difference(*sides)
    return used, []


def compare(case, before, after, allowances=()):
    """The verdict on what two programs left in the folders `before` and `after`."""
    verdict = Verdict()
    for output in sorted(outputs_in(before) | outputs_in(after)):
        paths = before / output, after / output
        if all(path.exists() for path in paths) and filecmp.cmp(*paths, shallow=False):
            verdict.equal += 1
            continue
        data = [path.read_bytes() if path.exists() else None for path in paths]
        covering = [allowance for allowance in (*LEFT_OUT_KEYS, *allowances) if allowance.covers(case, output)]
        used, difference = compare_output(data, covering)
        if difference:
            verdict.different[output] = difference
        elif used.issubset(LEFT_OUT_KEYS):
            verdict.equal += 1
        else:
            verdict.allowed[output] = used.difference(LEFT_OUT_KEYS)
    return verdict
