// SPDX-License-Identifier: GPL-3.0-or-later
//! A text in NFC, and where its characters come from.
//!
//! The library normalises a text as a whole and keeps sixteen bytes for each of its own. Most characters neither join
//! what stands before them nor change places with it: what lies between two of those is normalised by itself, by the
//! library where it is not in NFC already.

use failure::{Failure, FailureKind, Outcome};
use tokenizers::tokenizer::normalizer::{NormalizedString, Range};
use unicode_normalization_alignments::char::canonical_combining_class;
use unicode_normalization_alignments::{is_nfc_quick, IsNormalized};

/// Marks upon one character; real ones have a handful.
const MAX_PART_BYTES: usize = 1 << 20;

pub struct Nfc {
    pub text: String,
    /// In order; the first begins with the text.
    stretches: Vec<Stretch>,
}

/// A stretch of the text in NFC, to where the next one begins.
struct Stretch {
    at: u32,
    /// In the text as it was.
    begin: u32,
    /// There, where the stretch is one character that others made; None: the stretch stands there as it is.
    end: Option<u32>,
}

impl Nfc {
    /// Of a text of less than 4 GiB.
    pub fn of(text: &str) -> Outcome<Self> {
        let mut nfc = Self { text: String::with_capacity(text.len()), stretches: Vec::new() };
        let mut begin = 0;
        let borders = text.char_indices().filter(|(at, character)| *at > 0 && starts_anew(*character));
        for end in borders.map(|(at, _)| at).chain(std::iter::once(text.len())) {
            let part = &text[begin..end];
            if is_nfc(part) {
                nfc.keep(part, begin);
            } else {
                nfc.normalise(part, begin)?;
            }
            begin = end;
        }
        Ok(nfc)
    }

    /// The bytes of the text as it was that a range of this one covers, by the library's rules: a character made of
    /// several stands for the first of them. The range is not empty.
    pub fn origin(&self, begin: usize, end: usize) -> (usize, usize) {
        let first = self.stretch_of(begin);
        let last = self.stretch_of(end - 1);
        let begin = first.begin as usize + if first.end.is_some() { 0 } else { begin - first.at as usize };
        let end = last.end.map_or_else(|| last.begin as usize + end - last.at as usize, |end| end as usize);
        (begin, end)
    }

    fn stretch_of(&self, at: usize) -> &Stretch {
        &self.stretches[self.stretches.partition_point(|stretch| stretch.at as usize <= at) - 1]
    }

    fn keep(&mut self, part: &str, begin: usize) {
        let goes_on =
            |last: &Stretch| last.end.is_none() && last.begin as usize + self.text.len() - last.at as usize == begin;
        if !self.stretches.last().is_some_and(goes_on) {
            self.stretches.push(Stretch { at: self.text.len() as u32, begin: begin as u32, end: None });
        }
        self.text.push_str(part);
    }

    fn normalise(&mut self, part: &str, begin: usize) -> Outcome<()> {
        if part.len() > MAX_PART_BYTES {
            let message = format!("{} bytes of marks stand upon one character", part.len());
            return Err(Failure::new(FailureKind::TooLong, message, ""));
        }
        let mut normal = NormalizedString::from(part);
        normal.nfc();
        for (at, character) in normal.get().char_indices() {
            let bytes = at..at + character.len_utf8();
            let origin = normal.convert_offsets(Range::Normalized(bytes)).unwrap_or_default();
            let (begin, end) = (begin + origin.start, begin + origin.end);
            self.stretches.push(Stretch { at: self.text.len() as u32, begin: begin as u32, end: Some(end as u32) });
            self.text.push(character);
        }
        Ok(())
    }
}

/// Whether that is certain. ASCII always is, and what comes behind it starts anew: only what stands between is looked at.
pub fn is_nfc(text: &str) -> bool {
    let mut rest = text;
    while let Some(begin) = first_beyond_ascii(rest.as_bytes()) {
        let end = rest[begin..].bytes().position(|byte| byte.is_ascii()).map_or(rest.len(), |length| begin + length);
        if is_nfc_quick(rest[begin..end].chars()) != IsNormalized::Yes {
            return false;
        }
        rest = &rest[end..];
    }
    true
}

fn first_beyond_ascii(bytes: &[u8]) -> Option<usize> {
    const PIECE: usize = 32; // looked at as a whole
    let plain = bytes.chunks_exact(PIECE).take_while(|piece| piece.is_ascii()).count() * PIECE;
    bytes[plain..].iter().position(|byte| !byte.is_ascii()).map(|at| plain + at)
}

/// Whether a character neither joins what stands before it nor changes places with it, whatever that is.
fn starts_anew(character: char) -> bool {
    character.is_ascii()
        || (canonical_combining_class(character) == 0 && is_nfc_quick(std::iter::once(character)) == IsNormalized::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [&str; 23] = [
        "a",
        " ",
        "é",
        "e\u{301}",
        "\u{301}",
        "\u{323}",
        "你",
        "\u{1100}",
        "\u{1161}",
        "\u{11a8}",
        "가",
        "ﬁ",
        "\u{212b}",
        "\u{344}",
        "\u{fb1d}",
        "\u{5b4}",
        "\u{915}\u{93c}",
        "\u{9c7}\u{9be}",
        "\u{1e9b}\u{323}",
        "\u{345}",
        "👩\u{200d}",
        "\u{2add}\u{338}",
        "o\u{302}\u{323}",
    ];

    fn for_mixtures(mut check: impl FnMut(&str)) {
        let mut state = 1u64;
        let mut next = |most: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % most
        };
        for _ in 0..20_000 {
            let text: String = (0..next(10)).map(|_| PARTS[next(PARTS.len())]).collect();
            check(&text);
        }
    }

    #[test]
    fn is_looked_for_between_ascii_alone() {
        for_mixtures(|text| assert_eq!(is_nfc(text), is_nfc_quick(text.chars()) == IsNormalized::Yes, "{text:?}"));
    }

    #[test]
    fn is_the_librarys_and_comes_from_the_same_bytes() {
        for_mixtures(|text| {
            let mut expected = NormalizedString::from(text);
            expected.nfc();
            let nfc = Nfc::of(text).unwrap();
            assert_eq!(nfc.text, expected.get(), "{text:?}");
            let starts: Vec<usize> = nfc.text.char_indices().map(|(at, _)| at).chain([nfc.text.len()]).collect();
            for (index, begin) in starts.iter().enumerate() {
                for end in &starts[index + 1..] {
                    let range = expected.convert_offsets(Range::Normalized(*begin..*end)).unwrap();
                    assert_eq!(nfc.origin(*begin, *end), (range.start, range.end), "{text:?} {begin}..{end}");
                }
            }
        });
    }

    #[test]
    fn of_marks_without_an_end_is_refused_in_words() {
        let marks = "\u{323}\u{301}".repeat(MAX_PART_BYTES / 4 + 1);
        assert_eq!(Nfc::of(&marks).err().unwrap().kind, FailureKind::TooLong);
        assert!(Nfc::of(&marks[..MAX_PART_BYTES]).is_ok());
    }
}
