# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes or updates FOLDER/roundpipe_*.ts from the sources: extract.py CORE_TEXTS FOLDER. CORE_TEXTS prints what core says
in the window."""

import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Distributions keep Qt 6's beside Qt 5's, off the path.
LUPDATE = next((path for path in ("/usr/lib/qt6/bin/lupdate", "/usr/lib64/qt6/bin/lupdate") if os.path.exists(path)), "lupdate")
LANGUAGES = {"en": ["-pluralonly"], "de": [], "zh_CN": []}


def extract(core_texts, folder):
    with tempfile.TemporaryDirectory() as place:
        source = os.path.join(place, "core_texts.cpp")
        with open(source, "w", encoding="utf-8") as file:
            subprocess.run([core_texts], stdout=file, check=True)
        for language, options in LANGUAGES.items():
            texts = os.path.join(os.path.abspath(folder), f"roundpipe_{language}.ts")
            command = [LUPDATE, "-silent", "-locations", "none", "-no-obsolete", "-no-ui-lines", "-I", ROOT,
                       *options, "ui", "app/studio", source, "-source-language", "en", "-target-language", language, "-ts", texts]
            subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    extract(*sys.argv[1:])
