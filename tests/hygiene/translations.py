# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the window is in every language: nothing new that is not translated, nothing old, and each translation with
the placeholders, the mnemonic and the ending of its source."""

import os
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import tree

sys.path.insert(0, os.path.join(tree.ROOT, "ui", "translations"))
import extract  # noqa: E402

CORE_TEXTS = sys.argv[1]
FOLDER = "ui/translations"
# A source's ending, and what a translation may end with for it.
ENDINGS = {"…": "…", ":": ":：", ".": ".。", "?": "?？"}


def messages(path):
    """(context, source, comment) -> its translations, None where it is not finished."""
    found = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            key = context.findtext("name"), message.findtext("source"), message.findtext("comment") or ""
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            found[key] = None if translation.get("type") else forms
    return found


def placeholders(text):
    return sorted(set(re.sub("L", "", holder) for holder in re.findall(r"%L?(?:\d+|n|p)", text)))


def problems_of(source, translation):
    if not translation.strip():
        yield "is empty"
    if placeholders(source) != placeholders(translation):
        yield f"has {placeholders(translation)} where the source has {placeholders(source)}"
    if bool(re.search(r"&\w", source)) != bool(re.search(r"&\w", translation)):
        yield "has a mnemonic where the source has none, or the other way round"
    if source.count("\n") != translation.count("\n"):
        yield "has other lines than the source"
    wanted = ENDINGS.get(source[-1:] if " " in source else "")  # of sentences, not of abbreviations
    if wanted and translation[-1:] not in tuple(wanted):
        yield f"does not end with {' or '.join(wanted)}"


problems = []
checked = 0
with tempfile.TemporaryDirectory() as fresh:
    for language in extract.LANGUAGES:
        shutil.copy(os.path.join(tree.ROOT, FOLDER, f"roundpipe_{language}.ts"), fresh)
    extract.extract(CORE_TEXTS, fresh)
    for language in extract.LANGUAGES:
        name = f"{FOLDER}/roundpipe_{language}.ts"
        now = messages(os.path.join(fresh, f"roundpipe_{language}.ts"))
        stored = messages(os.path.join(tree.ROOT, name))
        checked += len(now)
        problems += [f"{name}: nothing says “{source}” of {context} any more" for context, source, _ in stored.keys() - now.keys()]
        for (context, source, _), forms in sorted(now.items()):
            if forms is None:
                problems.append(f"{name}: “{source}” of {context} is not translated")
            for form in forms or []:
                problems += [f"{name}: “{form}” for “{source}” of {context} {problem}" for problem in problems_of(source, form)]
if problems:
    problems.append("ui/translations/update brings new texts into the files, unfinished")
tree.finish("translations, texts", problems, checked)
