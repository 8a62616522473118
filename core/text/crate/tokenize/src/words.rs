// SPDX-License-Identifier: GPL-3.0-or-later
//! A short way through tokenizers of byte pairs: words that were met before are looked up.
//!
//! Hugging Face's pipeline copies a text several times, with the origin of every byte, and makes a string of each
//! token. Most tokenizers treat the words of a text each by itself: those that cut it by regular expressions first and
//! are byte-level after that (Llama 3, Qwen, gpt-oss, Mistral's tekken, …), and those that make marks of blanks and then
//! join characters (Llama 2, Mistral, Gemma), of whose words `Borders` says where they end. The tokens of a word are
//! always the same, so only words not seen yet take the long way, through the library's own parts; very long ones by
//! stretches. `Way::of` says which tokenizers these are.

use std::ops::Range;
use std::sync::RwLock;

use ahash::AHashMap;
use failure::{Failure, FailureKind, Outcome};
use tokenizers::{Model, ModelWrapper, OffsetType, PostProcessorWrapper, PreTokenizedString, PreTokenizer, Tokenizer};

use crate::added::Added;
use crate::nfc::{is_nfc, Nfc};
use crate::stretches::in_stretches;
use crate::tokens::{Piece, Tokens};
use crate::way::{Cut, Prefix, Way, STRETCH};

/// What is remembered: some 20 MB of it at most.
const MAX_WORDS: usize = 100_000;
const MAX_WORD_BYTES: usize = 64;

/// What else goes through the library at once: a hundred times that of memory.
const MAX_WHOLE_BYTES: usize = 8 << 20;

pub struct Words {
    added: Added,
    way: Way,
    /// Whether what the model gets of a word is what it gets of the word's parts, one behind the other.
    is_in_parts: bool,
    stretch: usize,
    /// What the post-processor puts before and behind every text.
    around: (Vec<u32>, Vec<u32>),
    known: RwLock<Known>,
}

type Known = AHashMap<Box<str>, Box<[Piece]>>;

impl Words {
    /// None for tokenizers in which a word's tokens may depend on more than the word.
    pub fn of(tokenizer: &Tokenizer) -> Option<Self> {
        let ModelWrapper::BPE(model) = tokenizer.get_model() else { return None };
        // Dropout would draw other tokens each time.
        if model.dropout.is_some() || !tokenizer.get_post_processor().is_none_or(keeps_offsets) {
            return None;
        }
        let way = Way::of(tokenizer, model)?;
        let is_in_parts = way.gives_words_in_parts(model);
        let around = around(tokenizer).ok()?;
        let added = Added::of(tokenizer)?;
        let known = RwLock::default();
        Some(Self { added, way, is_in_parts, stretch: STRETCH, around, known })
    }

    /// The tokens of a text, on request with the special ones around it.
    pub fn encode(&self, tokenizer: &Tokenizer, text: &str, add_special_tokens: bool) -> Outcome<Tokens> {
        let (before, behind) = if add_special_tokens { (&*self.around.0, &*self.around.1) } else { (&[][..], &[][..]) };
        let mut tokens = Tokens::for_bytes(text.len());
        before.iter().for_each(|id| tokens.push_nowhere(*id));
        let mut tokens = self.encode_text(tokenizer, text, tokens)?;
        behind.iter().for_each(|id| tokens.push_nowhere(*id));
        Ok(tokens)
    }

    /// The tokens of a text behind those that are there.
    fn encode_text(&self, tokenizer: &Tokenizer, text: &str, tokens: Tokens) -> Outcome<Tokens> {
        let known = self.known.read().expect("no thread panics with the lock");
        let mut reading = Reading { words: self, tokenizer, known: &known, tokens, met: Known::new() };
        let mut end = 0;
        while let Some(found) = self.added.next(text, end) {
            reading.section(&text[end..found.begin], end)?;
            reading.tokens.push(found.id, found.begin, found.end);
            end = found.end;
        }
        reading.section(&text[end..], end)?;
        let Reading { tokens, met, .. } = reading;
        drop(known);
        self.remember(met);
        Ok(tokens)
    }

    /// The long way.
    fn tokenize(&self, tokenizer: &Tokenizer, word: &str, prefix: Option<&Prefix>) -> Outcome<Box<[Piece]>> {
        let encode = || {
            let mut parts = PreTokenizedString::from(word);
            if let Some(prefix) = prefix.filter(|prefix| prefix.belongs_before(word)) {
                parts.normalize(|text| {
                    text.prepend(&prefix.mark);
                    Ok(())
                })?;
            }
            for step in &self.way.rest {
                step.pre_tokenize(&mut parts)?;
            }
            let model = tokenizer.get_model();
            parts.tokenize(|part| model.tokenize(part.get()))?;
            parts.into_encoding(None, 0, OffsetType::Byte)
        };
        let encoding = encode().map_err(library_failed)?;
        let pieces = encoding.get_ids().iter().zip(encoding.get_offsets());
        Ok(pieces.map(|(id, (begin, end))| Piece { id: *id, begin: *begin as u32, end: *end as u32 }).collect())
    }

    fn remember(&self, met: Known) {
        if met.is_empty() {
            return;
        }
        let mut known = self.known.write().expect("no thread panics with the lock");
        let room = MAX_WORDS.saturating_sub(known.len());
        known.extend(met.into_iter().take(room));
    }
}

/// One text on its way through.
struct Reading<'a> {
    words: &'a Words,
    tokenizer: &'a Tokenizer,
    known: &'a Known,
    tokens: Tokens,
    /// Words that are new: a long text has the most of them many times.
    met: Known,
}

/// What stands between two added tokens, normalised.
struct Section<'a> {
    text: &'a str,
    /// In the whole text.
    begin: usize,
    /// Where it is another text than it was.
    nfc: Option<&'a Nfc>,
}

impl Section<'_> {
    fn origin(&self, begin: usize, end: usize) -> (usize, usize) {
        let (begin, end) = self.nfc.map_or((begin, end), |nfc| nfc.origin(begin, end));
        (self.begin + begin, self.begin + end)
    }
}

impl Reading<'_> {
    fn section(&mut self, text: &str, begin: usize) -> Outcome<()> {
        let nfc = if self.words.way.wants_nfc && !is_nfc(text) { Some(Nfc::of(text)?) } else { None };
        let section = Section { text: nfc.as_ref().map_or(text, |nfc| &nfc.text), begin, nfc: nfc.as_ref() };
        self.cut(&section, 0..section.text.len(), &self.words.way.cuts)
    }

    /// Cuts a range of the section by the cuts left.
    fn cut(&mut self, section: &Section, range: Range<usize>, cuts: &[Cut]) -> Outcome<()> {
        if range.is_empty() {
            return Ok(());
        }
        let Some((first, others)) = cuts.split_first() else { return self.word(section, range) };
        let start = range.start;
        let text = &section.text[range];
        let take = |from, to| self.cut(section, start + from..start + to, others);
        match first {
            Cut::Expression(cutter) => cutter.cut(text, take),
            Cut::Borders(borders) => borders.cut(text, take),
        }
    }

    fn word(&mut self, section: &Section, range: Range<usize>) -> Outcome<()> {
        let words = self.words;
        let word = &section.text[range.clone()];
        let is_first = |prefix: &&Prefix| range.start == 0 && (section.begin == 0 || !prefix.is_of_text);
        let prefix = words.way.prefix.as_ref().filter(is_first);
        if word.len() > 2 * words.stretch {
            return self.long_word(section, range, prefix);
        }
        if prefix.is_some() {
            let pieces = words.tokenize(self.tokenizer, word, prefix)?;
            append(&mut self.tokens, section, &pieces, range.start);
            return Ok(());
        }
        if let Some(pieces) = self.known.get(word).or_else(|| self.met.get(word)) {
            append(&mut self.tokens, section, pieces, range.start);
            return Ok(());
        }
        let pieces = words.tokenize(self.tokenizer, word, None)?;
        append(&mut self.tokens, section, &pieces, range.start);
        if word.len() <= MAX_WORD_BYTES && self.met.len() < MAX_WORDS {
            self.met.insert(word.into(), pieces);
        }
        Ok(())
    }

    fn long_word(&mut self, section: &Section, range: Range<usize>, prefix: Option<&Prefix>) -> Outcome<()> {
        let (words, tokenizer) = (self.words, self.tokenizer);
        let word = &section.text[range.clone()];
        if words.is_in_parts {
            let tokens = &mut self.tokens;
            let encode = |part: &str, begin| words.tokenize(tokenizer, part, prefix.filter(|_| begin == 0));
            let take = |pieces: &[Piece], begin| append(tokens, section, pieces, range.start + begin);
            return in_stretches(word, words.stretch, encode, take);
        }
        require_short(word)?;
        let pieces = words.tokenize(tokenizer, word, prefix)?;
        append(&mut self.tokens, section, &pieces, range.start);
        Ok(())
    }
}

fn append(tokens: &mut Tokens, section: &Section, pieces: &[Piece], word_begin: usize) {
    for piece in pieces {
        let (begin, end) = section.origin(word_begin + piece.begin as usize, word_begin + piece.end as usize);
        tokens.push(piece.id, begin, end);
    }
}

/// Of a text that the library takes as a whole.
pub fn require_short(text: &str) -> Outcome<()> {
    if text.len() <= MAX_WHOLE_BYTES {
        return Ok(());
    }
    let message = format!("{} bytes have no place where this tokenizer could be asked for their parts", text.len());
    Err(Failure::new(
        FailureKind::TooLong,
        message,
        format!("Split it: up to {MAX_WHOLE_BYTES} bytes are taken at once."),
    ))
}

pub fn library_failed(error: tokenizers::Error) -> Failure {
    Failure::new(
        FailureKind::InvalidInput,
        format!("the tokenizer failed: {error}"),
        "What tokenizer.json says does not do for this text: fetch that file again, from where the model comes from.",
    )
}

/// Whether a post-processor leaves the tokens of the text and their offsets alone.
fn keeps_offsets(processor: &PostProcessorWrapper) -> bool {
    match processor {
        PostProcessorWrapper::ByteLevel(bytes) => !bytes.trim_offsets,
        PostProcessorWrapper::Template(_) => true,
        PostProcessorWrapper::Sequence(all) => all.as_ref().iter().all(keeps_offsets),
        _ => false,
    }
}

/// What a template processor adds depends on no text, so that any text shows it.
fn around(tokenizer: &Tokenizer) -> tokenizers::Result<(Vec<u32>, Vec<u32>)> {
    let (bare, all) = (tokenizer.encode("a", false)?, tokenizer.encode("a", true)?);
    let (bare, all) = (bare.get_ids(), all.get_ids());
    let begin =
        all.windows(bare.len().max(1)).position(|window| window == bare).ok_or("the text's tokens are changed")?;
    Ok((all[..begin].to_vec(), all[begin + bare.len()..].to_vec()))
}

#[cfg(test)]
mod tests {
    use tokenizers::models::bpe::BPE;
    use tokenizers::normalizers::replace::Replace;
    use tokenizers::normalizers::{Prepend, Sequence, NFC};
    use tokenizers::pre_tokenizers::byte_level::ByteLevel;
    use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
    use tokenizers::pre_tokenizers::sequence::Sequence as Steps;
    use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
    use tokenizers::tokenizer::SplitDelimiterBehavior::{Isolated, MergedWithPrevious};
    use tokenizers::AddedToken;

    use super::*;
    use crate::borders::byte_name;
    use crate::way::MARK;

    /// Whole numbers below a bound, the same in every run.
    struct Draw(u64);

    impl Draw {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % bound
        }

        fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
            of[self.below(of.len())]
        }

        fn text(&mut self, parts: &[&str], most: usize) -> String {
            (0..self.below(most)).map(|_| self.one(parts)).collect()
        }
    }

    /// A model with merges of any two tokens, in any order, often several ways to one token.
    fn random_model(draw: &mut Draw, letters: &[String], others: &[String], ignore_merges: bool) -> BPE {
        let mut tokens: Vec<String> = letters.to_vec();
        let mut merges: Vec<(String, String)> = Vec::new();
        for _ in 0..draw.below(60) {
            let (left, right) = (tokens[draw.below(tokens.len())].clone(), tokens[draw.below(tokens.len())].clone());
            let both = format!("{left}{right}");
            if both.chars().count() > 7 || merges.contains(&(left.clone(), right.clone())) {
                continue;
            }
            if !tokens.contains(&both) {
                tokens.push(both);
            }
            let place = draw.below(merges.len() + 1);
            merges.insert(place, (left, right));
        }
        let vocabulary: AHashMap<String, u32> = tokens.iter().chain(others).cloned().zip(0..).collect();
        let model = BPE::builder().vocab_and_merges(vocabulary, merges).byte_fallback(true).fuse_unk(true);
        model.unk_token("<unk>".into()).ignore_merges(ignore_merges).build().unwrap()
    }

    fn add_tokens(tokenizer: &mut Tokenizer) {
        let plain = |content: &str, special| AddedToken::from(content, special).normalized(false);
        tokenizer.add_tokens([plain("<s>", true), plain("b<", false), plain("<s>a", false)]).unwrap();
    }

    /// How many texts were refused of those that are compared.
    fn num_refused(draw: &mut Draw, tokenizer: &Tokenizer, parts: &[&str]) -> usize {
        let mut words = Words::of(tokenizer).unwrap();
        words.stretch = 24;
        let mut num_refused = 0;
        for _ in 0..60 {
            // Texts of a few parts repeat themselves: what a merge takes depends on what stands far before it.
            let few: Vec<&str> = (0..1 + draw.below(3)).map(|_| draw.one(parts)).collect();
            let own = draw.text(parts, 12);
            let text = own + &draw.text(&few, 80) + &draw.text(parts, 20) + &draw.text(&few, 80);
            match words.encode(tokenizer, &text, false) {
                Ok(tokens) => assert_eq!(all(tokens), expected(tokenizer, &text), "{text:?} {tokenizer:?}"),
                Err(failure) => {
                    assert_eq!(failure.kind, FailureKind::TooLong, "{}", failure.message);
                    num_refused += 1;
                }
            }
        }
        num_refused
    }

    fn all(tokens: Tokens) -> Vec<(u32, [u32; 2])> {
        tokens.into_blocks().flat_map(|block| block.ids.into_iter().zip(block.offsets)).collect()
    }

    fn expected(tokenizer: &Tokenizer, text: &str) -> Vec<(u32, [u32; 2])> {
        let encoding = tokenizer.encode(text, false).unwrap();
        let offsets = encoding.get_offsets().iter().map(|(begin, end)| [*begin as u32, *end as u32]);
        encoding.get_ids().iter().copied().zip(offsets).collect()
    }

    #[test]
    fn of_joined_characters_have_the_librarys_tokens() {
        let parts =
            ["a", "b", "c", "ab", " ", "  ", "\u{2581}", "é", "你", "👩\u{200d}", "<", "<s>", "\n", "<0x61>", "0"];
        let letters = ["a", "b", "c", MARK, "é", "<", "0"].map(String::from);
        let mut bytes: Vec<String> = (0..=255).map(byte_name).collect();
        bytes.push("<unk>".into());
        let mut draw = Draw(1);
        let mut refused = 0;
        for round in 0..60 {
            let mut tokenizer = Tokenizer::new(random_model(&mut draw, &letters, &bytes, false));
            let blanks = || Replace::new(" ", MARK).unwrap();
            let schemes = [PrependScheme::First, PrependScheme::Always, PrependScheme::Never];
            match round % 5 {
                scheme @ 0..=2 => {
                    let marks = Metaspace::new('\u{2581}', schemes[scheme], draw.below(2) == 0);
                    tokenizer.with_pre_tokenizer(Some(marks));
                }
                3 => {
                    let steps = vec![Prepend::new(MARK.into()).into(), blanks().into()];
                    tokenizer.with_normalizer(Some(Sequence::new(steps))).unwrap();
                }
                _ => {
                    tokenizer.with_normalizer(Some(blanks())).unwrap();
                    tokenizer.with_pre_tokenizer(Some(Split::new(" ", MergedWithPrevious, false).unwrap()));
                }
            }
            add_tokens(&mut tokenizer);
            refused += num_refused(&mut draw, &tokenizer, &parts);
        }
        assert!(refused < 36, "{refused} of 3600"); // of words of 50 bytes and tokens of up to 21
    }

    #[test]
    fn of_bytes_have_the_librarys_tokens() {
        let parts = [
            "a",
            "b",
            "ab",
            "é",
            "e\u{301}",
            "\u{301}",
            "\u{323}",
            "\u{344}",
            "\u{1100}\u{1161}",
            "\u{11a8}",
            "\u{212b}",
            "你",
            " ",
            "<s>",
            "1",
            "\n",
        ];
        let alphabet: Vec<String> = ByteLevel::alphabet().iter().map(char::to_string).collect();
        let mut draw = Draw(2);
        let mut refused = 0;
        for round in 0..60 {
            let mut letters: Vec<String> = ["a", "b", "Ã", "©", "Ì", "ģ", "£"].map(String::from).to_vec();
            letters.retain(|letter| alphabet.contains(letter));
            let model = random_model(&mut draw, &letters, &[&alphabet[..], &["<unk>".into()]].concat(), round % 2 == 0);
            let mut tokenizer = Tokenizer::new(model);
            if round % 3 > 0 {
                tokenizer.with_normalizer(Some(NFC)).unwrap();
            }
            let pattern = SplitPattern::Regex(draw.one(&[r"\S+|\s+", r"[ab]+|\n", r" ?[^\s\d]+"]).into());
            let steps =
                vec![Split::new(pattern, Isolated, false).unwrap().into(), ByteLevel::new(false, false, false).into()];
            tokenizer.with_pre_tokenizer(Some(Steps::new(steps)));
            add_tokens(&mut tokenizer);
            refused += num_refused(&mut draw, &tokenizer, &parts);
        }
        assert!(refused < 36, "{refused} of 3600");
    }
}
