# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes how each source is compiled: tidy_database.py COMPILE_COMMANDS FOLDER. The build's own list has the files that CMake
makes of several sources; clang-tidy would guess for a source by the nearest name, and guess wrong where folders differ."""

import json
import os
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    commands = json.load(file)
database = []
for entry in commands:
    sources = [entry["file"]]
    if "/Unity/" in entry["file"]:
        with open(entry["file"], encoding="utf-8") as file:
            sources = re.findall(r'^#include "(.+)"$', file.read(), re.MULTILINE)
    database += [entry | {"file": source, "command": entry["command"].replace(entry["file"], source)} for source in sources]
os.makedirs(sys.argv[2], exist_ok=True)
with open(os.path.join(sys.argv[2], "compile_commands.json"), "w", encoding="utf-8") as file:
    json.dump(database, file, indent=0)
