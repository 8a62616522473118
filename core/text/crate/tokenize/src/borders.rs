// SPDX-License-Identifier: GPL-3.0-or-later
//! Where a text can be cut whose tokenizer cuts no words: between two characters that no token has side by side.
//!
//! Byte-pair encoding begins with characters and joins neighbours as long as the vocabulary has what they make. Nothing
//! that reaches across such a border is ever made, so that both sides have their tokens, and their order of merges, by
//! themselves. A character that is no token is its bytes, each a token with a name of its own ("<0xE2>"): where no other
//! token has such a name in it, nothing joins them, and a border is on both sides.

use ahash::AHashSet;

pub struct Borders {
    /// Characters that stand side by side in some token.
    pairs: AHashSet<(char, char)>,
    /// What a blank is in the vocabulary.
    mark: char,
}

impl Borders {
    /// None where tokens are made of bytes' names, so that what a border is cannot be told from characters.
    pub fn of<'a>(vocabulary: impl Iterator<Item = &'a str>, mark: char) -> Option<Self> {
        let mut pairs = AHashSet::new();
        for token in vocabulary {
            if holds_byte_name(token) {
                return None;
            }
            pairs.extend(token.chars().zip(token.chars().skip(1)));
        }
        Some(Self { pairs, mark })
    }

    /// Calls `take` with each piece of the text.
    pub fn cut<E>(&self, text: &str, mut take: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let (mut begin, mut before) = (0, None);
        for (at, character) in text.char_indices() {
            let character = if character == ' ' { self.mark } else { character };
            if before.is_some_and(|before| !self.pairs.contains(&(before, character))) {
                take(begin, at)?;
                begin = at;
            }
            before = Some(character);
        }
        take(begin, text.len())
    }
}

/// The token that stands for a byte.
pub fn byte_name(byte: u8) -> String {
    format!("<0x{byte:02X}>")
}

/// Whether it has such a name in it and more.
fn holds_byte_name(token: &str) -> bool {
    let is_name = |begin: usize| {
        let name = token.as_bytes().get(begin + 3..begin + 6);
        name.is_some_and(|name| name[2] == b'>' && name[..2].iter().all(|digit| digit.is_ascii_hexdigit()))
    };
    token.len() > byte_name(0).len() && token.match_indices("<0x").any(|(begin, _)| is_name(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(borders: &Borders, text: &'a str) -> Vec<&'a str> {
        let mut found = Vec::new();
        let done: Result<(), ()> = borders.cut(text, |begin, end| {
            found.push(&text[begin..end]);
            Ok(())
        });
        done.map(|()| found).unwrap()
    }

    #[test]
    fn stand_where_no_token_has_both_characters() {
        let tokens = ["<0x0A>", "a", "b", "ab", "▁", "▁▁", "▁a", "é", "bé"];
        let borders = Borders::of(tokens.into_iter(), '▁').unwrap();
        assert_eq!(pieces(&borders, "ab abab  ba\nbé▁a"), ["ab", " ab", "ab", "  ", "b", "a", "\n", "bé", "▁a"]);
        assert_eq!(pieces(&borders, ""), [""]);
    }

    #[test]
    fn are_not_told_where_tokens_hold_bytes_by_name() {
        assert!(Borders::of(["<0x0A>", "<0x0"].into_iter(), '▁').is_some());
        assert!(Borders::of(["<0x0A>a"].into_iter(), '▁').is_none());
        assert!(Borders::of(["a<0x0A>"].into_iter(), '▁').is_none());
        assert!(Borders::of(["a<0x0G>"].into_iter(), '▁').is_some());
    }
}
