#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks two built programs the same questions and compares what they say and write, to the last bit.

usage: two_builds.py BEFORE AFTER [--only PATTERN …] [--quick] [--allow FILE] [--fixtures DIR] [--keep DIR] [--jobs N]
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import shutil
import sys
import tempfile
import time

import loss_cases
import plan_cases
import row_cases
import verdict
from bench import ROOT, Bench, Inputs

GROUPS = {"plans": plan_cases, "rows": row_cases, "losses": loss_cases}
SHOWN_CASES = 12  # in full; of the others only the names


def arguments():
    parser = argparse.ArgumentParser(description="Compares two built programs on the same questions: plans, rows, losses.")
    parser.add_argument("before", type=pathlib.Path, help="the roundpipe program to compare with")
    parser.add_argument("after", type=pathlib.Path, help="the roundpipe program that must do the same")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN",
                        help="plans, rows, losses or the beginning of a case's name, with * and ?; may be repeated")
    parser.add_argument("--quick", action="store_true", help="a few cases of the demo, without fixtures")
    parser.add_argument("--allow", type=pathlib.Path, help="JSON list of expected differences with their reasons (README.md)")
    parser.add_argument("--fixtures", type=pathlib.Path,
                        help="else ROUNDPIPE_FIXTURES, else ../shared/fixtures beside the checkout")
    parser.add_argument("--keep", type=pathlib.Path, help="new folder for what cases with differences left, of both programs")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time (1)")
    given = parser.parse_args()
    for program in (given.before, given.after):
        if not os.access(program, os.X_OK) or program.is_dir():
            parser.error(f"'{program}' is no program")
    if given.keep and given.keep.exists():
        parser.error(f"'{given.keep}' exists; give a new folder")
    given.fixtures = given.fixtures or pathlib.Path(
        os.environ.get("ROUNDPIPE_FIXTURES") or ROOT.parent / "shared" / "fixtures")
    if not given.quick and not (given.fixtures / "configs").is_dir():
        parser.error(f"there are no fixtures in '{given.fixtures}'; give --fixtures DIR, or --quick for what needs none")
    try:
        given.allowances = verdict.read_allowances(given.allow) if given.allow else []
    except (OSError, ValueError) as problem:
        parser.error(str(problem))
    return given


def chosen_cases(given, shared):
    inputs = Inputs(shared, None if given.quick else given.fixtures.resolve())
    for group in GROUPS.values():
        for case in group.quick(inputs) if given.quick else group.cases(inputs):
            if not given.only or any(fnmatch.fnmatchcase(case.name, f"{pattern}*") for pattern in given.only):
                yield case


class BrokenCase(Exception):
    """BEFORE does not answer as the case expects, so there is nothing to compare with."""


def run_case(case, given, folder):
    """Leaves what the programs wrote in folder/before and folder/after; returns the verdict or raises BrokenCase."""
    programs = {"before": given.before.resolve(), "after": given.after.resolve()}
    for side, program in programs.items():
        place = folder / "case"  # the same path for both, so that no output differs by it
        place.mkdir(parents=True)
        bench = Bench(program, programs["before"], place)
        case.run(bench)
        if side == "before" and (wrong := set(bench.codes) - set(case.codes)):
            said = "".join(path.read_text(errors="replace") for path in sorted(place.glob("*.err")))
            raise BrokenCase(f"BEFORE's exit code is {wrong.pop()}, which this case does not expect:\n{said[:2000]}")
        place.rename(folder / side)
    return verdict.compare(case.name, folder / "before", folder / "after", given.allowances)


class Summary:
    """Counts of each subject, in the order in which they first came; cases that are not equal; allowances needed."""
    COLUMNS = ("cases", "refused", "rows, steps", "outputs", "equal", "allowed", "different")

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.used = collections.Counter()
        self.bad = []

    def add(self, case, found, folder):
        rows = sum(path.read_bytes().count(b"\n") for path in (*folder.glob("lens.out"), *folder.glob("*/metrics.jsonl")))
        refused = any(path.read_text() != "0\n" for path in folder.glob("*.code"))
        counts = dict(zip(self.COLUMNS[3:], (found.num_outputs, found.equal, len(found.allowed), len(found.different))))
        self.counts[case.subject].update({"cases": 1, "refused": refused, "rows, steps": rows, **counts})
        for needed in found.allowed.values():
            self.used.update(needed)
        if found.different:
            self.bad.append(case.name)

    def show(self, allowances):
        width = max(map(len, self.counts), default=0)
        total = sum(self.counts.values(), collections.Counter())
        print("\n" + "compared".ljust(width) + "".join(f"{name:>13}" for name in self.COLUMNS))
        for subject, counts in (*self.counts.items(), ("in all", total)):
            print(subject.ljust(width) + "".join(f"{counts[name]:>13,}" for name in self.COLUMNS))
        for allowance in allowances:
            print(f"\nexpected in {self.used[allowance]} outputs ({allowance.key or allowance.pattern}): {allowance.reason}")
        if self.bad:
            print(f"\n{len(self.bad)} cases are not equal:", *self.bad, sep="\n  ")


def show_differences(case, found, folder):
    for output, lines in found.different.items():
        print(f"\nDIFFERENT  {case.name}  ({output})")
        for line in lines:
            print("    " + line.replace(str(folder / "case"), "CASE"))


def finish(case, run, folder, summary, keep):
    """Counts and shows what a case's run has given, and clears its folder away."""
    try:
        found = run.result()
        summary.add(case, found, folder / "before")
        if found.different and len(summary.bad) <= SHOWN_CASES:
            show_differences(case, found, folder)
        if found.different and keep:
            shutil.copytree(folder, keep / case.name.replace("/", "_"))
    except BrokenCase as problem:
        print(f"\nCANNOT COMPARE  {case.name}: {problem}")
        summary.bad.append(case.name)
    shutil.rmtree(folder)


def compare_all(given, work):
    shared = work / "shared"
    shared.mkdir()
    cases = list(chosen_cases(given, shared))
    if not cases:
        sys.exit("no case has such a name")
    summary = Summary()
    pool = concurrent.futures.ThreadPoolExecutor(given.jobs)
    try:
        folders = [work / str(number) for number in range(len(cases))]
        runs = [pool.submit(run_case, case, given, folder) for case, folder in zip(cases, folders)]
        for number, (case, run, folder) in enumerate(zip(cases, runs, folders), 1):
            if sys.stderr.isatty():
                print(f"\r\033[K{number} of {len(cases)}  {case.name}", end="", file=sys.stderr, flush=True)
            finish(case, run, folder, summary, given.keep)
    finally:
        pool.shutdown(cancel_futures=True)
    return summary


def main():
    given = arguments()
    sys.stdout.reconfigure(line_buffering=True)  # differences show at once, in a file too
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="roundpipe-compare-") as folder:
        summary = compare_all(given, pathlib.Path(folder).resolve())
    summary.show(given.allowances)
    print(f"\n{'DIFFERENT' if summary.bad else 'equal'} after {time.monotonic() - start:.0f} s")
    return 1 if summary.bad else 0


if __name__ == "__main__":
    sys.exit(main())
