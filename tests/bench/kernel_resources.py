# SPDX-License-Identifier: GPL-3.0-or-later
"""What each kernel takes of a GPU, as the compiler reports it: registers, shared memory, spills; no GPU is needed.

usage: kernel_resources.py BUILD [ARCHITECTURE …]      (80 90a 100 120, as packages carry)

Prints a table of architectures, then each kernel that spills, or takes more than MOST_REGISTERS or MOST_SHARED.
"""
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ARCHITECTURES = ["80", "90a", "100", "120"]
MOST_REGISTERS = 128  # of a thread: beyond, a multiprocessor of 65,536 has less than 512 threads
MOST_SHARED = 48 * 1024  # bytes of a block that need no asking; a GeForce card has 100 KB in all
Kernel = collections.namedtuple("Kernel", "file name registers shared spilled")


def report_of(command, architecture, folder):
    """What the compiler says of one file."""
    words = [word for word in shlex.split(command["command"]) if not word.startswith("--generate-code")]
    words[words.index("-o") + 1] = str(pathlib.Path(folder) / "object.o")
    words[1:1] = [f"--generate-code=arch=compute_{architecture},code=sm_{architecture}", "-Xptxas=-v"]
    done = subprocess.run(words, cwd=command["directory"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command['file']} for {architecture}:\n{done.stderr[-2000:]}")
    return done.stderr


def kernels_in(report, file):
    name, spilled = "", 0
    for line in report.splitlines():
        if entry := re.search(r"Compiling entry function '(\w+)'", line):
            name = entry[1]
        elif spills := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spilled = int(spills[1]) + int(spills[2])
        elif (used := re.search(r"Used (\d+) registers", line)) and name:
            shared = re.search(r"(\d+) bytes smem", line)
            yield Kernel(file, name, int(used[1]), int(shared[1]) if shared else 0, spilled)
            name, spilled = "", 0


def readable(names):
    """Without types of arguments."""
    done = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True, text=True)
    return done.stdout.splitlines()


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    commands = [command for command in json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text())
                if command["file"].endswith(".cu")]
    if not commands:
        sys.exit(f"'{sys.argv[1]}' builds no GPU code")
    print("| architecture | kernels | registers, most | static shared memory, most | that spill |\n|---|---|---|---|---|")
    notable = []
    for architecture in sys.argv[2:] or ARCHITECTURES:
        with tempfile.TemporaryDirectory() as folder:
            kernels = [kernel for command in commands
                       for kernel in kernels_in(report_of(command, architecture, folder), pathlib.Path(command["file"]).name)]
        print(f"| {architecture} | {len(kernels)} | {max(k.registers for k in kernels)} | {max(k.shared for k in kernels):,} B "
              f"| {sum(k.spilled > 0 for k in kernels)} |", flush=True)
        notable += [(architecture, k) for k in kernels
                    if k.spilled or k.registers > MOST_REGISTERS or k.shared > MOST_SHARED]
    for (architecture, kernel), name in zip(notable, readable([kernel.name for _, kernel in notable])):
        print(f"{architecture}: {kernel.file}: {name}: {kernel.registers} registers, {kernel.shared:,} B shared, "
              f"{kernel.spilled} B spilled")


if __name__ == "__main__":
    main()
