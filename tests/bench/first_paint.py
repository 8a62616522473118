# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the Studio takes from its start as a process until its window has painted and it has ended again: by the clock,
and in processor time, which says the same on a busy machine. usage: first_paint.py STUDIO [STARTS] (under xvfb-run, or QT_QPA_PLATFORM=offscreen)

Cold: the program's own files and all that it opened are dropped from the page cache first, as far as no other program
has them mapped. Each start has an empty home, so that it is a first one.
"""

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def home_of(folder):
    return {**os.environ, "HOME": folder, "XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}


def start(studio, home):
    """Seconds by the clock until the window has painted and the program has ended again, and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run([studio, "--simulate", "--exit-when-painted"], env=home_of(home), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ended = time.monotonic()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def opened_by(studio, home):
    """The files that it has mapped while its window is on show."""
    with subprocess.Popen([studio, "--simulate"], env=home_of(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        time.sleep(5)
        with open(f"/proc/{program.pid}/maps", encoding="utf-8") as maps:
            files = set(re.findall(r"(/\S+)$", maps.read(), re.MULTILINE))
        program.terminate()
    return files


def forget(paths):
    for path in paths:
        try:
            file = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def main(studio, starts=11):
    with tempfile.TemporaryDirectory() as folder:
        mapped = opened_by(studio, folder)
    for name, before in (("cold", lambda: forget(mapped)), ("warm", lambda: None)):
        clock, processor = [], []
        for _ in range(int(starts)):
            with tempfile.TemporaryDirectory() as home:
                before()
                painted, used = start(studio, home)
                clock.append(painted)
                processor.append(used)
        print(f"{name}: first paint and end {statistics.median(clock) * 1e3:.0f} ms after the start (median of {starts}; {min(clock) * 1e3:.0f} to "
              f"{max(clock) * 1e3:.0f} ms), {statistics.median(processor) * 1e3:.0f} ms of processor time")


if __name__ == "__main__":
    main(*sys.argv[1:])
