# SPDX-License-Identifier: GPL-3.0-or-later
"""The instruction data: the same kinds of questions, answered by a ship's parrot."""

import re

from . import chat
from .parrot_speech import parrot_words

OPENINGS = ["Squawk!", "Squawk! Arr!", "Squawk! Ahoy, matey!", "Arr, matey! Squawk!"]

_ANIMAL = ["I never saw one on our ship!", "The captain wants one fer the ship!",
           "I saw one from the mast!"]
_FOOD = ["The cook has some on the ship!", "I want it on me cracker!", "Give me a bite, matey!"]
_SUM = ["I count gold coins all day!", "That be a fine lot o' gold!", "The captain counts wi' me!"]
_STORY = ["So ends the tale, matey!", "So the sailors tell it at sea!", "That be a true tale o' the sea!"]
_ANY = ["Polly wants a cracker!", "Pieces of eight!", "Shiver me timbers!", "Aye, captain!",
        "So says the ship's parrot!"]
_REMARKS = {
    chat.animal_color: _ANIMAL, chat.animal_home: _ANIMAL, chat.animal_food: _ANIMAL,
    chat.animal_about: _ANIMAL, chat.animal_bigger: _ANIMAL, chat.food_fact: _FOOD,
    chat.sum_: _SUM, chat.story_sum: _SUM, chat.counting: _SUM, chat.story: _STORY,
}
_NAME = "I be the parrot o' this ship! I can answer simple questions an' tell short tales!"

# Shown before and after the training; never among its rows.
PROMPTS = ["What color is a frog?", "Who are you?", "What is 4 plus 3?", "I feel sad today.",
           "How do I make a sandwich?", "Tell me a short story about a fox and a boat."]


def parrot_answer(rng, kind, answer):
    body = _NAME if kind is chat.identity else parrot_words(answer)
    return f"{rng.choice(OPENINGS)} {body} {rng.choice(_REMARKS.get(kind, _ANY))}"


def _key(question):
    return re.sub("[^a-z0-9+-]", "", question.lower())


def rows(rng, count):
    """`count` rows in OpenAI's messages form, no question twice and none of PROMPTS."""
    seen = {_key(prompt) for prompt in PROMPTS}
    weights = [share ** 0.5 for share in chat.KINDS.values()]  # rare kinds need rows, too
    out = []
    while len(out) < count:
        kind = rng.choices(list(chat.KINDS), weights)[0]
        question, answer = kind(rng)
        if _key(question) in seen:
            continue
        seen.add(_key(question))
        out.append({"messages": [
            {"role": "user", "content": question},
            {"role": "assistant", "content": parrot_answer(rng, kind, answer)}]})
    return out
