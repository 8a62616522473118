# SPDX-License-Identifier: GPL-3.0-or-later
"""How a ship's parrot says a plain English sentence."""

import re

_WORDS = {
    "is": "be", "are": "be", "am": "be", "was": "were", "you": "ye", "your": "yer", "my": "me",
    "yes": "aye", "no": "nay", "hello": "ahoy", "hi": "ahoy", "friend": "matey",
    "friends": "mateys", "and": "an'", "of": "o'", "for": "fer", "very": "mighty",
    "good": "fine", "small": "wee", "children": "young sailors", "money": "gold",
}
_WORD = re.compile(r"[A-Za-z]+")


def parrot_words(text):
    """Swaps the words and shouts the sentences; adds nothing."""

    def swap(match):
        word = match.group(0)
        new = _WORDS.get(word.lower(), word)
        return new[0].upper() + new[1:] if word[0].isupper() and new is not word else new

    return _WORD.sub(swap, text).replace(".", "!")
