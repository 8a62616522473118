# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the manual pages of our programs, made from what their --help says: one page for a program and, as PROGRAM-COMMAND,
one for each of its commands. usage: man_pages.py FOLDER VERSION MANUAL NAME=PROGRAM…
MANUAL is the folder of the manual, to be named in them."""

import gzip
import os
import re
import subprocess
import sys

ENVIRONMENT = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}


class Help:
    """What --help says, in parts: sentence, usage, sections [(name, [(term, text)])], and the lines that stand after them."""

    def __init__(self, said):
        said = said.replace("{false}", "")  # CLI11's word for "turns it off"
        lines = said.splitlines()
        usage = next(number for number, line in enumerate(lines) if line.startswith("Usage: "))
        first_section = next(number for number, line in enumerate(lines) if self.section_of(line))
        self.usage = lines[usage].removeprefix("Usage: ").split()[1:]  # without the program
        self.sentence = " ".join(line for line in lines[:first_section] if line and not line.startswith("Usage: "))
        self.column = len(re.search(r"^ +(-h, ?)?--help +", said, re.MULTILINE)[0])  # where texts begin
        self.sections = []
        self.rest = []
        for line in lines[first_section:]:
            self.take(line)

    @staticmethod
    def section_of(line):
        found = re.fullmatch(r"(\w[\w ]*):", line)
        return found and found[1]

    def take(self, line):
        if section := self.section_of(line):
            self.sections.append((section, []))
        elif line.startswith(" " * self.column):
            term, text = self.sections[-1][1].pop()
            self.sections[-1][1].append((term, (text + " " + line.strip()).strip()))
        elif line.startswith("  "):
            short = line[self.column - 1:self.column] in (" ", "")  # else the term reaches into the texts' column
            self.sections[-1][1].append((line[:self.column].strip(), line[self.column:].strip()) if short else (line.strip(), ""))
        elif line:
            self.rest.append(line)

    def commands(self):
        return [(term, text) for section, entries in self.sections if section == "Subcommands" for term, text in entries]


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def name_line(name, sentence):
    sentence = sentence.rstrip(".")
    if sentence.split()[0][1:].islower():  # no name such as RoundPipe
        sentence = sentence[0].lower() + sentence[1:]
    return f"{escaped(name)} \\- {escaped(sentence)}"


def section_lines(words, section, entries):
    if section == "Subcommands":
        section, entries = "Commands", [("-".join([*words, term]) + "(1)", text) for term, text in entries]
    yield f".SH {section.upper()}" if section[0].isupper() else f".SS {section}"
    for term, text in entries:
        yield from (".TP", f".B {escaped(re.sub(',(?=-)', ', ', term))}", escaped(text))


def page(words, said, version, manual):
    name = "-".join(words)
    lines = [f'.TH {escaped(name.upper())} 1 "" "RoundPipe Studio {version}" "RoundPipe Studio"', ".SH NAME",
             name_line(name, said.sentence), ".SH SYNOPSIS", f".B {escaped(' '.join(words))}",
             escaped(" ".join(word for word in said.usage if word not in words))]
    for section, entries in said.sections:
        lines += section_lines(words, section, entries)
    if said.rest:
        lines += [".SH NOTES", *map(escaped, said.rest)]
    lines.append(".SH SEE ALSO")
    if len(words) > 1:
        lines.append(f".BR {escaped('-'.join(words[:-1]))} (1);")
    lines += ["the manual, which the Studio shows by F1:", f".I {escaped(manual)}"]
    return "\n".join(lines) + "\n"


def write_pages(folder, version, manual, words, command):
    run = subprocess.run([*command, "--help"], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} --help failed:\n{run.stdout}{run.stderr}")
    said = Help(run.stdout)
    with open(os.path.join(folder, "-".join(words) + ".1.gz"), "wb") as file:  # compressed, as distributions want them
        file.write(gzip.compress(page(words, said, version, manual).encode(), 9, mtime=0))
    for name, _ in said.commands():
        write_pages(folder, version, manual, [*words, name], [*command, name])


def main(folder, version, manual, programs):
    os.makedirs(folder, exist_ok=True)
    for program in programs:
        name, _, path = program.partition("=")
        write_pages(folder, version, manual, [name], [path])


if __name__ == "__main__":
    main(*sys.argv[1:4], sys.argv[4:])
