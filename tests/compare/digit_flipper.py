# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program and then changes one bit of what it wrote, as a comparison must notice.

usage: digit_flipper.py PLACE PATTERN PROGRAM [ARGUMENT …]

PLACE is `output`, or a file's path below the working folder; the last character of the pattern's first match is the one
that changes: of a number its last digit, 6 to 7.
"""
import pathlib
import re
import subprocess
import sys


def flipped(data, pattern):
    match = re.search(pattern, data)
    if not match:
        return data
    at = match.end() - 1
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def main():
    place, pattern, program = sys.argv[1], sys.argv[2].encode(), sys.argv[3:]
    done = subprocess.run(program, stdout=subprocess.PIPE)
    sys.stdout.buffer.write(flipped(done.stdout, pattern) if place == "output" else done.stdout)
    file = pathlib.Path(place)
    if file.is_file():
        file.write_bytes(flipped(file.read_bytes(), pattern))
    sys.exit(done.returncode)


main()
