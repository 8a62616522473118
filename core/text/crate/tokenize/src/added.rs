// SPDX-License-Identifier: GPL-3.0-or-later
//! The tokens that are no words, as <|im_start|>: where they stand in a text.

use ahash::AHashMap;
use tokenizers::{AddedToken, Tokenizer};

pub struct Added {
    ids: AHashMap<Box<[u8]>, u32>,
    /// Whether a token begins with a byte.
    begins: [bool; 256],
    /// How long those are, the longest first.
    lengths: Box<[Vec<usize>; 256]>,
}

pub struct Found {
    pub id: u32,
    pub begin: usize,
    pub end: usize,
}

impl Added {
    /// None where added tokens take blanks around them along, or are looked for in the normalised text.
    pub fn of(tokenizer: &Tokenizer) -> Option<Self> {
        let tokens = tokenizer.get_added_tokens_decoder();
        let plain = |token: &AddedToken| !(token.single_word || token.lstrip || token.rstrip || token.normalized);
        if !tokens.values().all(plain) {
            return None;
        }
        Self::new(tokens.iter().map(|(id, token)| (token.content.as_str(), *id)))
    }

    /// None where a token is empty, or two are spelled alike.
    fn new<'a>(tokens: impl Iterator<Item = (&'a str, u32)>) -> Option<Self> {
        let mut added =
            Self { ids: AHashMap::new(), begins: [false; 256], lengths: Box::new([const { Vec::new() }; 256]) };
        for (spelling, id) in tokens {
            let first = usize::from(*spelling.as_bytes().first()?);
            added.begins[first] = true;
            let lengths = &mut added.lengths[first];
            if let Err(place) = lengths.binary_search_by(|length| spelling.len().cmp(length)) {
                lengths.insert(place, spelling.len());
            }
            if added.ids.insert(spelling.as_bytes().into(), id).is_some() {
                return None;
            }
        }
        Some(added)
    }

    /// The first one from there on; of several that begin there the longest.
    pub fn next(&self, text: &str, from: usize) -> Option<Found> {
        let bytes = text.as_bytes();
        let begins = (from..bytes.len()).filter(|at| self.begins[usize::from(bytes[*at])]);
        begins.into_iter().find_map(|begin| {
            self.lengths[usize::from(bytes[begin])].iter().find_map(|length| {
                let end = begin + length;
                let id = self.ids.get(bytes.get(begin..end)?)?;
                Some(Found { id: *id, begin, end })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(added: &Added, text: &str) -> Vec<(u32, usize, usize)> {
        let mut found = Vec::new();
        while let Some(Found { id, begin, end }) = added.next(text, found.last().map_or(0, |(_, _, end)| *end)) {
            found.push((id, begin, end));
        }
        found
    }

    #[test]
    fn finds_the_longest_of_those_that_begin_first() {
        let added = Added::new([("<a>", 1), ("<a><b>", 2), ("b>", 3), ("é", 4)].into_iter()).unwrap();
        assert_eq!(all(&added, "<a><a><b>é<b>"), [(1, 0, 3), (2, 3, 9), (4, 9, 11), (3, 12, 14)]);
        assert_eq!(all(&added, "<a"), []);
        assert_eq!(all(&added, ""), []);
    }

    #[test]
    fn knows_which_tokens_it_cannot_tell() {
        assert!(Added::new([("", 1)].into_iter()).is_none());
        assert!(Added::new([("a", 1), ("a", 2)].into_iter()).is_none());
        assert_eq!(all(&Added::new([].into_iter()).unwrap(), "a"), []);
    }
}
