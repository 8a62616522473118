# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints 'name==version MB' for every line of the given requirement files that is not wholly installed here.

An installation that was cut short (a file of its RECORD is absent or has another size) counts as missing, and its
metadata is removed, for pip would take it for installed.
"""

import csv
import os
import re
import shutil
import sys
import sysconfig


def normalised(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def whole(site, dist_info):
    try:
        with open(os.path.join(dist_info, "RECORD"), newline="", encoding="utf-8") as record:
            for path, _hash, size in csv.reader(record):
                if size and os.stat(os.path.join(site, path)).st_size != int(size):
                    return False
    except (OSError, ValueError):
        return False
    return os.path.exists(os.path.join(dist_info, "INSTALLER"))  # pip writes it after the wheel's files


def main(requirement_files, site):
    found = {}
    for entry in os.listdir(site):
        if entry.endswith(".dist-info"):
            name, _, version = entry.removesuffix(".dist-info").partition("-")
            found.setdefault(normalised(name), []).append((version, os.path.join(site, entry)))
    for path in requirement_files:
        with open(path, encoding="utf-8") as lines:
            for name, version, mb in re.findall(r"^([\w.-]+)==(\S+) *# *([\d.]+)", lines.read(), re.MULTILINE):
                good = False
                for installed, dist_info in found.get(normalised(name), []):
                    if whole(site, dist_info):
                        good = good or installed == version
                    else:
                        shutil.rmtree(dist_info)
                if not good:
                    print(f"{name}=={version} {mb}")


if __name__ == "__main__":
    main(sys.argv[1:], sysconfig.get_paths()["purelib"])
