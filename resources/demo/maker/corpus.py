# SPDX-License-Identifier: GPL-3.0-or-later
"""The pre-training text: documents of stories, facts and conversations."""

import random

import numpy as np

from . import chat, stories
from .tokens import END_OF_TEXT, PAD_ID, render

_SHARES = {"story": 26, "sea": 6, "facts": 8, "chat": 60}


def document(rng):
    """One document as the tokenizer sees it, special tokens in it."""
    kind = rng.choices(list(_SHARES), list(_SHARES.values()))[0]
    if kind == "chat":
        return render(chat.conversation(rng)) + END_OF_TEXT
    write = {"story": stories.full_story, "sea": stories.sea_story, "facts": stories.fact_page}[kind]
    return write(rng) + END_OF_TEXT


def documents(seed, count):
    rng = random.Random(seed)
    return [document(rng) for _ in range(count)]


def encoded_rows(tokenizer, seed, count, length):
    """Token ids [rows, length] of whole documents: each row starts where a document starts."""
    rng = random.Random(seed)
    rows, row = [], []
    for done in range(0, count, 10000):
        texts = [document(rng) for _ in range(min(10000, count - done))]
        for encoding in tokenizer.encode_batch(texts):
            ids = encoding.ids[:length]
            if len(row) + len(ids) > length:
                rows.append(np.array(row + [PAD_ID] * (length - len(row)), dtype=np.int16))
                row = []
            row = row + ids
    return np.stack(rows)
