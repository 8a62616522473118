# SPDX-License-Identifier: GPL-3.0-or-later
"""Small tools for writing English from templates.

A template holds alternatives in square brackets, which may nest, and slots in
braces: "[One day|Once], {hero} found {a thing}." Every draw comes from the
random.Random that the caller passes, so a text is a function of its seed.
"""

import re

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(?:(a|cap) )?(\w+)\}")
_SENTENCE_START = re.compile(r"(^|[.!?] |\n|: \")([a-z])")


def article(noun):
    """The noun with its indefinite article: 'an owl', 'a boat'."""
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def cap(text):
    return text[:1].upper() + text[1:]


def third_person(verb):
    """The form of a plain verb after 'it': 'hop' gives 'hops', 'fly' 'flies'."""
    first, _, rest = verb.partition(" ")
    if first.endswith(("s", "sh", "ch", "x", "o")):
        first += "es"
    elif first.endswith("y") and first[-2] not in "aeiou":
        first = first[:-1] + "ies"
    else:
        first += "s"
    return f"{first} {rest}" if rest else first


def join(words, last="and"):
    """'a, b and c'"""
    words = [str(word) for word in words]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" {last} " + words[-1]


def expand(rng, template, **slots):
    """Draws the alternatives, fills the slots and capitalises the sentences."""

    def choose(match):
        return rng.choice(match.group(1).split("|"))

    def fill(match):
        value = str(slots[match.group(2)])
        return article(value) if match.group(1) == "a" else cap(value) if match.group(1) else value

    text, count = template, 1
    while count:
        text, count = _CHOICE.subn(choose, text)
    text = re.sub(r"  +", " ", _SLOT.sub(fill, text)).strip()
    return _SENTENCE_START.sub(lambda m: m.group(1) + m.group(2).upper(), text)
