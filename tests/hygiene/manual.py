# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual has a place for what users meet: every kind of error, exit code, setting, format of rows, ending of files, reason
for a dropped row, kind of work and of idle time that the sources list. An option or a setting that the manual or a message
names is there, and so is what it names of the window. And the version is one number wherever it is written."""

import html
import os
import re

import tree

MANUAL = "resources/manual/"
problems = []


def source(path):
    return tree.read(path) if os.path.exists(os.path.join(tree.ROOT, path)) else ""


def listed(path, pattern):
    """The names in the first match of a pattern: quoted words, in the order of the source."""
    found = re.search(pattern, source(path), re.DOTALL)
    if not found:
        problems.append(f"{path}: has no list of the form {pattern}, by which this test reads it")
    return re.findall(r'"([^"]+)"', found[1]) if found else []


def spelled(path, enum):
    return listed(path, rf"spellings\({enum}\) \{{\s*return \{{(.*?)\}};")


def expect(page, names, what, how):
    """Each name stands in the page of the manual in the way that `how` says."""
    text = source(MANUAL + page)
    for name in names:
        if how.format(name) not in text:
            problems.append(f"{MANUAL}{page}: does not have the {what} {name}, looked for as: {how.format(name)}")
    return len(names)


checked = 0
kinds = re.findall(r'case ErrorKind::\w+:\s*return "([\w-]+)"', source("core/base/error.cpp"))
checked += expect("errors.md", kinds, "kind of error", "\n| `{}` |")
codes = re.findall(r"^    k\w+ = (\d+),", source("app/cli/exit_codes.h"), re.MULTILINE)
checked += expect("command-line.md", codes, "exit code", "\n| {} |")
keys = re.findall(r'makeField\(\s*"([\w.]+)"', source("core/session/spec/run_spec_fields.cpp"))
checked += expect("settings.md", keys, "setting", "\n### {}\n")
formats = [name for name in spelled("core/base/choices.h", "DataFormat") if name != "auto"]
checked += expect("row-formats.md", formats, "format of rows", "\n| `{}` |")
rules = spelled("core/base/choices.h", "LeaveOut")
checked += expect("dropped-rows.md", rules, "rule", "\n| `{}` |")
checked += expect("trained-tokens.md", spelled("core/base/choices.h", "TrainOn"), "choice", "\n| `{}` |")
checked += expect("dropped-rows.md", spelled("core/session/row_remark.h", "DropReason"), "reason", "\n| {} |")
endings = listed("core/data/files/row_file.cpp", r"hasRowEnding.*?isOneOf\(innerEnding\(path\), \{(.*?)\}")
endings += listed("core/data/files/row_file.cpp", r"hasTextEnding.*?isOneOf\(innerEnding\(path\), \{(.*?)\}")
checked += expect("data-files.md", endings, "ending", "`{}`")
waits = re.findall(r'QT_TRANSLATE_NOOP\("timeline", "(waits for [\w ]+)"\)', source("ui/theme/theme.cpp"))
checked += expect("timeline.md", waits, "reason of idle time", "\n| {} |")
work = [name for name in re.findall(r'\{"([a-z ]+)", 0x', source("core/trace/kind_look.cpp")) if name not in ("waiting", "step", "memory")]
rows = re.findall(r"^\| ([a-z, ]+) \|", source(MANUAL + "timeline.md"), re.MULTILINE)
for name in set(work) - {kind for row in rows for kind in row.split(", ")}:
    problems.append(f"{MANUAL}timeline.md: does not have the kind of work {name}")
checked += len(work)
for name, found in (("kinds of errors", kinds), ("exit codes", codes), ("settings", keys), ("reasons of idle time", waits), ("kinds of work", work)):
    if not found:
        problems.append(f"no {name} were found in the sources, by which this test reads them")

# Options are declared in quotes by the programs, and those of settings stand on their page of the manual, which is made of them.
OPTION = r"(?<![\w-])--[a-z][a-z0-9-]*[a-z0-9]"
OTHERS_PROGRAMS = re.compile(r"vllm|llama|gguf|secret-tool|curl", re.IGNORECASE)
known = set(re.findall(OPTION, source(MANUAL + "settings.md")))
known |= set(re.findall(r'makeField\(\s*"[\w.]+", "([\w-]+)"', source("core/session/spec/run_spec_fields.cpp")))
for path in tree.files("app", ".cpp") + ["core/session/answering.cpp"]:  # a table that options are made from
    known |= set(re.findall(rf'["!,]({OPTION})', source(path)))
    known |= {"--" + name for name in re.findall(r'QCommandLineOption \w+\(\s*QStringLiteral\("([\w-]+)"', source(path))}
for path in ("packaging/run", "packaging/setup", "packaging/test"):
    known |= set(re.findall(OPTION, source(path)))
SETTING = r"(?<![\w./-])(?:model|data|lora|optimizer|batch|duration|engine|output)\.(?!safetensors|layers|gguf|weight|language_model|vision_tower|multi_modal)[a-z][a-z_]+(?![\w(/]|\.\w)"
settings = {*keys, "data.datasets"}
for path in tree.files(MANUAL, ".md") + tree.files("core", ".cpp"):
    for number, line in enumerate(source(path).splitlines(), 1):
        said = line if path.endswith(".md") else " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', line))
        for option in set(re.findall(OPTION, said)) - known if not OTHERS_PROGRAMS.search(said) else ():
            problems.append(f"{path}:{number}: names the option {option}, which no program has")
        for setting in set(re.findall(SETTING, said)) - settings if not path.startswith("core/foreign/") else ():
            problems.append(f"{path}:{number}: names the setting {setting}, which no run file has")
        checked += said.count(" --")

# Commands are declared with their words of help; those of a command that has some are told from an argument by its room.
declared = {path: re.findall(r'\badd(?:_subcommand)?\("([a-z]+)", "', source(path)) for path in tree.files("app/cli", ".cpp")}
commands = {name for names in declared.values() for name in names}
groups = {path.split("/")[2] for path, names in declared.items() if names and path.count("/") > 2}
for path in tree.files(MANUAL, ".md") + ["README.md"]:
    for line in re.findall(r"^    roundpipe .*|`roundpipe [^`]*`", source(path), re.MULTILINE):
        words = re.findall(r"roundpipe ([a-z]+)(?: ([a-z]+)\b)?", line)
        checked += len(words)
        for first, second in words:
            for word in (first, second) if first in groups and second else (first,):
                if word not in commands:
                    problems.append(f"{path}: names the command roundpipe {first} {second}".rstrip() + ", which there is not")

# What users may set around the programs, and what only developers and desktops do.
NOT_OF_USERS = {"XDG_RUNTIME_DIR", "ROUNDPIPE_STALL_MS"}
variables = {name for path in tree.files("core", ".cpp") + tree.files("app", ".cpp")
             for name in re.findall(r'"((?:HF|XDG|ROUNDPIPE)_[A-Z_]+|NO_COLOR|TMPDIR)"', source(path))}
checked += expect("command-line.md", sorted(variables - NOT_OF_USERS), "variable", "`{}`")

# What stands in italics on the pages that lead through the window is written on it: buttons, menus, pages, cards, tiles.
texts = re.findall(r"<source>(.*?)</source>", source("ui/translations/roundpipe_de.ts"), re.DOTALL)
shown = {html.unescape(text).replace("&", "").split(":")[0].strip("… .").lower() for text in texts}
for name in ("quick-start", "studio-pages", "timeline", "hub", "errors"):
    plain = re.sub(r"^    .*$|^\*The .*\*$|\*\*", "", source(f"{MANUAL}{name}.md"), flags=re.MULTILINE)
    for said in re.findall(r"(?<!\w)\*([^*\n]+)\*(?!\w)", plain):
        checked += 1
        problems += [f"{MANUAL}{name}.md: names *{part}*, which the window does not show"
                     for part in said.split(" → ") if part.strip("… ").lower() not in shown]

contents = source(MANUAL + "README.md")
for page in tree.files(MANUAL, ".md"):
    checked += 1
    name = page.rsplit("/", 1)[1]
    if name != "README.md" and f"]({name})" not in contents:
        problems.append(f"{page}: is not in the contents, {MANUAL}README.md, so the Studio's Help does not show it")

VERSIONS = {"CMakeLists.txt": r"project\(roundpipe VERSION ([\d.]+)", "packaging/installed/changelog": r"^roundpipe-studio \(([\d.]+)\)",
            "resources/desktop/org.roundpipe.Studio.metainfo.xml": r'<release version="([\d.]+)"',
            MANUAL + "changelog.md": r"^## (\d[\d.]*)$"}
versions = {path: re.search(pattern, source(path), re.MULTILINE) for path, pattern in VERSIONS.items()}
said = {path: match[1] if match else "none" for path, match in versions.items()}
if len(set(said.values())) != 1:
    problems.append("the version differs: " + ", ".join(f"{path} says {version}" for path, version in said.items()))
tree.finish("manual, entries", problems, checked + len(said))
