# SPDX-License-Identifier: GPL-3.0-or-later
"""Every relative link of a Markdown file leads to a file, and one with a # to a heading of it."""

import os
import re

import tree

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(path):
    """The headings of a file as a link names them: words in lower case with hyphens between."""
    headings = re.findall(r"^#+ (.*)$", tree.read(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


problems = []
pages = tree.files(endings=".md")
for page in pages:
    for target in LINK.findall(re.sub(r"`[^`]*`", "", tree.read(page))):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), place)) if place else page
        if not os.path.exists(os.path.join(tree.ROOT, path)):
            problems.append(f"{page}: links to {target}, which is not there")
        elif anchor and anchor not in anchors(path):
            problems.append(f"{page}: links to {target}, a heading that {path} does not have")
tree.finish("links, pages", problems, len(pages))
