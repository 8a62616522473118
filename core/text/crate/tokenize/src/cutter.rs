// SPDX-License-Identifier: GPL-3.0-or-later
//! The expressions that cut a text into words, and a way around them where only ASCII decides.
//!
//! Two thirds of tokenising went into the regular expressions. Most tokenizers have the same one, of Llama 3 or of Qwen,
//! whose words of letters, digits, signs and blanks are told here character by character. What a character beyond ASCII
//! is, the expressions' own library says, a block of 256 when its first one turns up; it is asked for a word as well
//! where letters are taken without regard to capitals ('S is a contraction, and so is one with a long s).

use std::sync::{LazyLock, OnceLock};

use tokenizers::pre_tokenizers::split::SplitPattern;
use tokenizers::tokenizer::SplitDelimiterBehavior;
use tokenizers::utils::SysRegex;
use tokenizers::PreTokenizerWrapper;

/// The expression that both have, but for how many digits make a word.
const BEFORE_DIGITS: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}";
const BEHIND_DIGITS: &str = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

pub struct Cutter {
    expression: SysRegex,
    /// Of a word of digits at most, where the expression is the one above.
    max_digits: Option<usize>,
}

impl Cutter {
    /// Of a step that cuts a text and keeps all of it.
    pub fn of(step: &PreTokenizerWrapper) -> Option<Self> {
        match step {
            PreTokenizerWrapper::Split(split)
                if split.behavior == SplitDelimiterBehavior::Isolated && !split.invert =>
            {
                match &split.pattern {
                    SplitPattern::Regex(pattern) => Self::new(pattern),
                    SplitPattern::String(_) => None,
                }
            }
            _ => None,
        }
    }

    fn new(pattern: &str) -> Option<Self> {
        let digits = pattern.strip_prefix(BEFORE_DIGITS).and_then(|rest| rest.strip_suffix(BEHIND_DIGITS));
        let max_digits = match digits {
            Some("") => Some(1),
            Some("{1,3}") => Some(3),
            _ => None,
        };
        Some(Self { expression: SysRegex::new(pattern).ok()?, max_digits })
    }

    /// Calls `take` with each piece of the text: what matches and what stands between.
    pub fn cut<E>(&self, text: &str, mut take: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let Some(max_digits) = self.max_digits else { return self.cut_by_expression(text, take) };
        let mut at = 0;
        while at < text.len() {
            // The expression looks at nothing before a word, and every character begins one.
            let end = match word_end(text, at, max_digits) {
                Some(end) => end,
                None => self.expression.find_iter(&text[at..]).next().map_or(text.len(), |(_, length)| at + length),
            };
            take(at, end)?;
            at = end;
        }
        Ok(())
    }

    fn cut_by_expression<E>(&self, text: &str, mut take: impl FnMut(usize, usize) -> Result<(), E>) -> Result<(), E> {
        let mut end = 0;
        for (from, to) in self.expression.find_iter(text) {
            take(end, from)?;
            take(from, to)?;
            end = to;
        }
        take(end, text.len())
    }
}

/// What a character is; several of them are a sum.
type Class = u8;
const LETTER: Class = 1;
const DIGIT: Class = 2;
const BLANK: Class = 4;
const LINE: Class = 8;
const SIGN: Class = 16;

const ASCII: [Class; 128] = {
    let mut classes = [SIGN; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'\r' | b'\n' => LINE,
            b' ' | b'\t' | 0x0B | 0x0C => BLANK,
            _ => SIGN,
        };
        byte += 1;
    }
    classes
};

/// Of all characters, by blocks; those that no text had yet are empty.
static BLOCKS: [OnceLock<Box<[Class; 256]>>; 0x1100] = [const { OnceLock::new() }; 0x1100];

fn class_beyond_ascii(character: char) -> Class {
    let code = character as usize;
    BLOCKS[code / 256].get_or_init(|| classes_of(code as u32 & !0xFF))[code % 256]
}

fn classes_of(first: u32) -> Box<[Class; 256]> {
    static KINDS: LazyLock<[(SysRegex, Class); 3]> = LazyLock::new(|| {
        let of = |pattern| SysRegex::new(pattern).expect("a class of characters is an expression");
        [(of(r"\p{L}"), LETTER), (of(r"\p{N}"), DIGIT), (of(r"\s"), BLANK)]
    });
    let mut classes = Box::new([SIGN; 256]);
    for (class, code) in classes.iter_mut().zip(first..) {
        let Some(character) = char::from_u32(code) else { continue };
        let mut bytes = [0; 4];
        let text = &*character.encode_utf8(&mut bytes);
        if let Some((_, found)) = KINDS.iter().find(|(kind, _)| kind.find_iter(text).next().is_some()) {
            *class = *found;
        }
    }
    classes
}

/// The class of the character that begins there, and where the next one does; None at the end of the text.
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte < 128 {
        return Some((ASCII[usize::from(byte)], at + 1));
    }
    let character = text[at..].chars().next()?;
    Some((class_beyond_ascii(character), at + character.len_utf8()))
}

/// Where the word that begins there ends, by the alternatives of the expression in their order; None where the expression
/// has to say it.
fn word_end(text: &str, at: usize, max_digits: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let run = |mut at: usize, wanted: Class| loop {
        while bytes.get(at).is_some_and(|byte| *byte < 128 && ASCII[usize::from(*byte)] & wanted != 0) {
            at += 1;
        }
        match class_at(text, at) {
            Some((class, next)) if class & wanted != 0 => at = next,
            _ => return at,
        }
    };
    let (first, behind) = class_at(text, at)?;
    let second = class_at(text, behind);
    if bytes[at] == b'\'' && behind < text.len() {
        if !bytes[behind].is_ascii() {
            return None;
        }
        if let Some(length) = contraction(&bytes[behind..]) {
            return Some(behind + length);
        }
    }
    match (first, second) {
        (LETTER, _) => return Some(run(behind, LETTER)),
        (DIGIT, _) => {
            let digit = |end| class_at(text, end).and_then(|(class, next)| (class == DIGIT).then_some(next));
            return Some((1..max_digits).try_fold(behind, |end, _| digit(end).ok_or(end)).unwrap_or_else(|end| end));
        }
        (BLANK | SIGN, Some((LETTER, next))) => return Some(run(next, LETTER)),
        (SIGN, _) => return Some(behind_lines(bytes, run(behind, SIGN))),
        (BLANK, Some((SIGN, next))) if bytes[at] == b' ' => return Some(behind_lines(bytes, run(next, SIGN))),
        _ => {}
    }
    let end = run(at, BLANK + LINE);
    if let Some(last) = bytes[at..end].iter().rposition(|byte| matches!(byte, b'\r' | b'\n')) {
        return Some(at + last + 1);
    }
    if end == text.len() || end == behind {
        return Some(end);
    }
    text[at..end].char_indices().next_back().map(|(last, _)| at + last) // the last blank goes with what follows
}

/// Behind the line breaks that follow.
fn behind_lines(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// The length of s, t, re, ve, m, ll or d in front of a text, in capitals or not.
fn contraction(rest: &[u8]) -> Option<usize> {
    let lower = |index: usize| rest.get(index).map(u8::to_ascii_lowercase);
    match (lower(0)?, lower(1)) {
        (b's' | b't' | b'm' | b'd', _) => Some(1),
        (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pieces = Vec<(usize, usize)>;

    fn collected(cut: impl FnOnce(&mut dyn FnMut(usize, usize) -> Result<(), ()>) -> Result<(), ()>) -> Pieces {
        let mut found = Pieces::new();
        let done = cut(&mut |begin, end| {
            found.extend((begin < end).then_some((begin, end)));
            Ok(())
        });
        done.map(|()| found).unwrap()
    }

    fn pieces(cutter: &Cutter, text: &str) -> Pieces {
        collected(|take| cutter.cut(text, take))
    }

    fn expected(cutter: &Cutter, text: &str) -> Pieces {
        collected(|take| cutter.cut_by_expression(text, take))
    }

    #[test]
    fn cuts_as_the_expression_does() {
        let parts = [
            "a",
            "word",
            "Zed",
            " ",
            "  ",
            "\t",
            "\n",
            "\r\n",
            "\u{b}",
            "1",
            "23",
            "4567",
            "'",
            "'s",
            "'RE",
            "'ll",
            "'x",
            ".",
            "!?",
            "--",
            "é",
            "你好",
            "\u{a0}",
            "\u{3000}",
            "\u{17f}",
            "²",
            "½",
            "👋",
            "\u{301}",
            "_",
            "\u{1c}",
            "\u{85}",
            "\u{2028}",
            "\u{180e}",
            "\u{200b}",
            "Ⅷ",
            "𝟘",
            "𐍈",
            "\u{10ffff}",
            "가",
            "ß",
            "ẞ",
            "K",
            "İ",
        ];
        let mut state = 1u64;
        let mut next = |most: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % most
        };
        for digits in ["", "{1,3}"] {
            let cutter = Cutter::new(&format!("{BEFORE_DIGITS}{digits}{BEHIND_DIGITS}")).unwrap();
            assert!(cutter.max_digits.is_some());
            for _ in 0..100_000 {
                let text: String = (0..next(9)).map(|_| parts[next(parts.len())]).collect();
                assert_eq!(pieces(&cutter, &text), expected(&cutter, &text), "{text:?}");
            }
        }
    }

    #[test]
    fn asks_an_expression_that_it_does_not_know() {
        let cutter = Cutter::new("[0-9]+").unwrap();
        assert_eq!(cutter.max_digits, None);
        assert_eq!(pieces(&cutter, "ab12cd"), [(0, 2), (2, 4), (4, 6)]);
    }
}
