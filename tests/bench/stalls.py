# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the window answers all the while that scripted runs go through its pages by clicks and keys: each time that it did
not for 100 ms, with the processor time of its thread meanwhile and where it was. Fails where that much processor time was
its own; on a busy machine the clock alone says nothing. usage: stalls.py TST_GUIDED_PROJECT [TURNS]

A place counts by its shortest time over all turns, as a busy machine makes any longer.
"""

import os
import re
import subprocess
import sys

LIMIT_MS = 100
STALL = re.compile(r"The window stood still for (\d+) ms \((\d+) ms of processor time\) in\n((?:  .*\n)*)")


def stalls_of(program):
    """(milliseconds, of processor time, offsets of the program's own frames, innermost first) of each."""
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "ROUNDPIPE_STALL_MS": str(LIMIT_MS)}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        sys.exit(f"{program} failed ({done.returncode}):\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    own = re.compile(re.escape(os.path.basename(program)) + r"\(\+(0x[0-9a-f]+)\)")
    return [(int(ms), int(processor), own.findall(frames)) for ms, processor, frames in STALL.findall(done.stdout + done.stderr)]


def names_of(program, offsets):
    lines = subprocess.run(["addr2line", "-e", program, "-f", "-C", "-s", *offsets], capture_output=True, text=True, check=True).stdout
    return [line.removeprefix("roundpipe::").removeprefix("ui::") for line in lines.splitlines()[::2]]


def place_of(program, offsets):
    """The window's function that it was at, the outermost: what lies below is another one each time."""
    of_window = re.compile(r"^(?:pages|shell|editors|timeline|charts|widgets|models|document|help|bridge)::[^(<]+")
    found = [match[0] for name in (names_of(program, offsets) if offsets else []) if (match := of_window.match(name))]
    return found[-1] if found else "Qt"


def main(program, turns=3):
    turns = int(turns)
    least = {}
    for _ in range(turns):
        worst = {}  # a place may be passed several times in a turn
        for ms, processor, offsets in stalls_of(program):
            place = place_of(program, offsets)
            worst[place] = max(worst.get(place, (0, 0)), (processor, ms))
        for place, (processor, ms) in worst.items():
            least.setdefault(place, []).append((processor, ms))
    # What one turn passes in less than the limit is seen in fewer of them.
    failing = []
    for place, times in sorted(least.items(), key=lambda item: min(item[1]), reverse=True):
        processor, ms = min(times)
        print(f"{ms:5} ms, {processor:5} ms of processor time, in {len(times)} of {turns} turns: {place}")
        if len(times) == turns and processor > LIMIT_MS:
            failing.append(place)
    print(f"{len(failing)} places block the window for over {LIMIT_MS} ms in every one of {turns} turns")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
