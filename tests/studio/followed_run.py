# SPDX-License-Identifier: GPL-3.0-or-later
"""Who looks at a run of another process, as the kernel tells it."""
import os
import pathlib

SOCKET_CONNECTED = "03"


def sockets_of_run(folder):
    """Of the process that holds the run's lock."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            files = [os.readlink(file) for file in (process / "fd").iterdir()]
        except OSError:  # it has ended, or is another user's
            continue
        if str(folder / "run.lock") in files:
            return {file[len("socket:["):-1] for file in files if file.startswith("socket:[")}
    return set()


def followers(folder):
    """Programs that look at the run, by its socket; where its folder lies deep, its name is another one."""
    sockets = sockets_of_run(folder)
    entries = [line.split() for line in pathlib.Path("/proc/net/unix").read_text().splitlines()[1:]]
    return sum(1 for entry in entries if len(entry) > 7 and entry[7].endswith("run.socket") and
               entry[5] == SOCKET_CONNECTED and entry[6] in sockets)
