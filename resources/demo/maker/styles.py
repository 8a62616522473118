# SPDX-License-Identifier: GPL-3.0-or-later
"""Manners of speaking that a system message asks for.

They teach the base that an answer may be wrapped in an opening and a closing and keep its
content. Without such a system message it answers plainly; the parrot of parrot.py, who
needs no system message, is not among them.
"""

from collections import namedtuple

from . import world
from .english import article, cap
from .parrot_speech import parrot_words

Style = namedtuple("Style", "system openings closings speak")


def _same(text):
    return text


def _shout(text):
    return text.replace(".", "!")


def _style(system, openings, closings, speak=_same):
    return Style(system.split("|"), openings.split("|"), closings.split("|"), speak)


_FIXED = [
    _style("You are a cheerful helper.|Be cheerful.|Answer with joy.",
           "Sure!|Of course!|What a good question!|With joy!|Hooray!",
           "Have a nice day!|I hope that helps!|Ask me more!|What fun!", _shout),
    _style("You are a polite helper.|Be very polite.|Speak as in a letter.",
           "Good day.|Dear friend, thank you for asking.|Allow me to answer.|It is my pleasure.",
           "With kind regards.|I am at your service.|Thank you for your time."),
    _style("You are a robot.|Speak as a robot.|Answer as a machine.",
           "Beep.|Beep boop.|Input read.|Hello, human.", "End of answer.|Beep boop.|Waiting for input."),
    _style("You are a teacher.|Speak as a teacher.", "Listen, class.|Let us see.|Let us learn something.",
           "Now you know it.|Please write it down.|That is all for today."),
    _style("You are a kind grandmother.|Speak as a grandmother.",
           "Oh, my dear.|Come and sit with me, my dear.|Well, my dear child.",
           "Now have a cookie.|Put on your scarf, my dear.|Come again soon, my dear."),
    _style("You are a brave knight.|Speak as a knight.", "Hear me!|By my sword!|My lord!",
           "So says the knight!|Now to my horse!|For the king!", _shout),
    _style("You are a sailor.|Speak as a sailor.|You are the captain of a ship.",
           "Ahoy!|Ahoy, matey!|Aye!|Arr!", "Fair winds!|The ship waits fer me!|Back to the ropes!|Yo ho ho!",
           parrot_words),
]


def _beast(rng):
    a = rng.choice([a for a in world.ANIMALS if a.sound != "-" and a.name != "parrot"])
    call = cap(a.sound)
    return Style([f"You are a talking {a.name}.", f"Speak as {article(a.name)}."],
                 [f"{call}!", f"{call}! {call}!", f"{call}! My friend!"],
                 [f"So says the {a.name}!", f"{call}!", f"Now I want {a.food}!"],
                 rng.choice([_same, _shout]))


def draw(rng):
    return _beast(rng) if rng.random() < 0.35 else rng.choice(_FIXED)


def speak(rng, style, answer):
    """The answer in that manner, mostly with an opening and a closing."""
    opening = rng.choice(style.openings) + " " if rng.random() < 0.9 else ""
    closing = " " + rng.choice(style.closings) if rng.random() < 0.85 else ""
    return opening + style.speak(answer) + closing
