//! The expressions that cut a text into words, and a way around them where only ASCII decides.
//!
//! Two thirds of tokenising went into the regular expressions. Most tokenizers have the same one, of Llama 3 or of Qwen,
//! whose words of ASCII letters, digits, signs and blanks are told here byte by byte. Where another character might
//! belong to a word or end it, the expression is asked: it alone knows Unicode's classes.

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
            let end = match word_end(text.as_bytes(), at, max_digits) {
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

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Letter,
    Digit,
    Blank,
    Line,
    Sign,
    /// Beyond ASCII.
    Other,
}
use Class::{Blank, Digit, Letter, Line, Other, Sign};

const CLASSES: [Class; 256] = {
    let mut classes = [Other; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Letter,
            b'0'..=b'9' => Digit,
            b'\r' | b'\n' => Line,
            b' ' | b'\t' | 0x0B | 0x0C => Blank,
            _ => Sign,
        };
        byte += 1;
    }
    classes
};

/// Where the word that begins there ends, by the alternatives of the expression in their order; None where a character
/// beyond ASCII has a say.
fn word_end(text: &[u8], at: usize, max_digits: usize) -> Option<usize> {
    // The end of the text is none of the classes that a word goes on with.
    let class = |index: usize| text.get(index).map(|byte| CLASSES[usize::from(*byte)]);
    let run = |mut index: usize, wanted: &[Class]| {
        while class(index).is_some_and(|found| wanted.contains(&found)) {
            index += 1;
        }
        (class(index) != Some(Other)).then_some(index)
    };
    let first = class(at)?;
    if first == Other {
        return None;
    }
    let second = class(at + 1);
    if text[at] == b'\'' {
        if let Some(length) = contraction(text.get(at + 1..)?) {
            return Some(at + 1 + length);
        }
    }
    match first {
        Letter => return run(at + 1, &[Letter]),
        Digit => {
            let end = (at..at + max_digits).take_while(|index| class(*index) == Some(Digit)).count() + at;
            return (end == at + max_digits || class(end) != Some(Other)).then_some(end);
        }
        Blank | Sign if second == Some(Letter) => return run(at + 2, &[Letter]),
        Blank | Sign if second == Some(Other) => return None,
        _ => {}
    }
    if first == Sign || (text[at] == b' ' && second == Some(Sign)) {
        let mut end = run(at + 1, &[Sign])?;
        while class(end) == Some(Line) {
            end += 1; // these alone, whatever follows
        }
        return Some(end);
    }
    let end = run(at, &[Blank, Line])?;
    match text[at..end].iter().rposition(|byte| CLASSES[usize::from(*byte)] == Line) {
        Some(last) => Some(at + last + 1),
        None if end == text.len() || end == at + 1 => Some(end),
        None => Some(end - 1),
    }
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
            "a", "word", "Zed", " ", "  ", "\t", "\n", "\r\n", "\u{b}", "1", "23", "4567", "'", "'s", "'RE", "'ll",
            "'x", ".", "!?", "--", "é", "你好", "\u{a0}", "\u{3000}", "\u{17f}", "²", "½", "👋", "\u{301}", "_",
            "\u{1c}", "\u{85}",
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
