// SPDX-License-Identifier: GPL-3.0-or-later
//! A short way through byte-level tokenizers: words that were met before are looked up.
//!
//! Hugging Face's pipeline copies a text several times, with the origin of every byte, and makes a string of each token.
//! Where a tokenizer cuts a text into words by regular expressions first, and treats each word by itself after that
//! (Llama 3, Qwen, gpt-oss, Mistral's tekken, …), the tokens of a word are always the same. So only words not seen yet
//! take the long way, through the library's own parts. `Words::of` says which tokenizers these are; texts that the
//! normalizer might change take the long way as a whole.

use std::ops::Range;
use std::sync::RwLock;

use ahash::AHashMap;
use tokenizers::{
    Model, ModelWrapper, NormalizerWrapper, OffsetType, PostProcessorWrapper, PreTokenizedString, PreTokenizer,
    PreTokenizerWrapper, Result, Tokenizer,
};
use unicode_normalization_alignments::{is_nfc_quick, IsNormalized};

use crate::added::{Added, Found};
use crate::cutter::Cutter;
use crate::tokens::Tokens;

/// What is remembered: some 20 MB of it at most.
const MAX_WORDS: usize = 100_000;
const MAX_WORD_BYTES: usize = 64;

/// A token of a word, and the bytes of the word that it covers.
#[derive(Clone, Copy)]
struct Piece {
    id: u32,
    begin: u32,
    end: u32,
}

pub struct Words {
    added: Added,
    /// The text is cut by the first, what comes out of it by the next.
    cuts: Vec<Cutter>,
    /// What the tokenizer does with each word before the model gets it.
    rest: Vec<PreTokenizerWrapper>,
    only_nfc: bool,
    /// What the post-processor puts before and behind every text.
    around: (Vec<u32>, Vec<u32>),
    known: RwLock<Known>,
}

impl Words {
    /// None for tokenizers in which a word's tokens may depend on more than the word.
    pub fn of(tokenizer: &Tokenizer) -> Option<Self> {
        let only_nfc = match tokenizer.get_normalizer() {
            None => false,
            Some(NormalizerWrapper::NFC(_)) => true,
            Some(_) => return None,
        };
        if !has_fixed_tokens(tokenizer.get_model()) || !tokenizer.get_post_processor().is_none_or(keeps_offsets) {
            return None;
        }
        let steps = match tokenizer.get_pre_tokenizer()? {
            PreTokenizerWrapper::Sequence(sequence) => sequence.as_ref().to_vec(),
            single => vec![single.clone()],
        };
        let cuts: Vec<Cutter> = steps.iter().map_while(Cutter::of).collect();
        if cuts.is_empty() {
            return None;
        }
        let rest = steps[cuts.len()..].to_vec();
        let around = around(tokenizer).ok()?;
        Some(Self { added: Added::of(tokenizer)?, cuts, rest, only_nfc, around, known: RwLock::default() })
    }

    /// The tokens of a text, on request with the special ones around it; None if the normalizer might change the text.
    pub fn encode(&self, tokenizer: &Tokenizer, text: &str, add_special_tokens: bool) -> Option<Result<Tokens>> {
        if self.only_nfc && !is_nfc(text) {
            return None;
        }
        let (before, behind) = if add_special_tokens { (&*self.around.0, &*self.around.1) } else { (&[][..], &[][..]) };
        let mut tokens = Tokens::for_bytes(text.len());
        before.iter().for_each(|id| tokens.push_nowhere(*id));
        let result = self.encode_normal(tokenizer, text, tokens);
        Some(result.map(|mut tokens| {
            behind.iter().for_each(|id| tokens.push_nowhere(*id));
            tokens
        }))
    }

    /// The tokens of a text behind those that are there.
    fn encode_normal(&self, tokenizer: &Tokenizer, text: &str, tokens: Tokens) -> Result<Tokens> {
        let mut reading = Reading { words: self, tokenizer, text, tokens, met: Met::new() };
        {
            let known = self.known.read().expect("no thread panics with the lock");
            let mut end = 0;
            while let Some(found) = self.added.next(text, end) {
                let Found { id, begin, .. } = found;
                reading.cut(&known, end..begin, &self.cuts)?;
                reading.tokens.push(id, begin, found.end);
                end = found.end;
            }
            reading.cut(&known, end..text.len(), &self.cuts)?;
        }
        let Reading { tokens, met, .. } = reading;
        self.remember(met);
        Ok(tokens)
    }

    /// The long way.
    fn tokenize(&self, tokenizer: &Tokenizer, word: &str) -> Result<Box<[Piece]>> {
        let mut parts = PreTokenizedString::from(word);
        for step in &self.rest {
            step.pre_tokenize(&mut parts)?;
        }
        let model = tokenizer.get_model();
        parts.tokenize(|part| model.tokenize(part.get()))?;
        let encoding = parts.into_encoding(None, 0, OffsetType::Byte)?;
        let pieces = encoding.get_ids().iter().zip(encoding.get_offsets());
        Ok(pieces.map(|(id, (begin, end))| Piece { id: *id, begin: *begin as u32, end: *end as u32 }).collect())
    }

    fn remember(&self, met: Met) {
        if met.is_empty() {
            return;
        }
        let mut known = self.known.write().expect("no thread panics with the lock");
        for (word, pieces) in met {
            if known.len() >= MAX_WORDS {
                return;
            }
            known.insert(Box::from(word), pieces);
        }
    }
}

/// One text on its way through.
struct Reading<'a> {
    words: &'a Words,
    tokenizer: &'a Tokenizer,
    text: &'a str,
    tokens: Tokens,
    /// Words that are new: a long text has the most of them many times.
    met: Met<'a>,
}

type Known = AHashMap<Box<str>, Box<[Piece]>>;
type Met<'a> = AHashMap<&'a str, Box<[Piece]>>;

impl Reading<'_> {
    /// Cuts a range of the text by the expressions left.
    fn cut(&mut self, known: &Known, range: Range<usize>, cuts: &[Cutter]) -> Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let Some((first, others)) = cuts.split_first() else { return self.word(known, range) };
        let text = self.text;
        let start = range.start;
        first.cut(&text[range], |from, to| self.cut(known, start + from..start + to, others))
    }

    fn word(&mut self, known: &Known, range: Range<usize>) -> Result<()> {
        let word = &self.text[range.clone()];
        if let Some(pieces) = known.get(word).or_else(|| self.met.get(word)) {
            append(&mut self.tokens, pieces, range.start);
            return Ok(());
        }
        let pieces = self.words.tokenize(self.tokenizer, word)?;
        append(&mut self.tokens, &pieces, range.start);
        if word.len() <= MAX_WORD_BYTES && self.met.len() < MAX_WORDS {
            self.met.insert(word, pieces);
        }
        Ok(())
    }
}

fn append(tokens: &mut Tokens, pieces: &[Piece], word_begin: usize) {
    for piece in pieces {
        tokens.push(piece.id, word_begin + piece.begin as usize, word_begin + piece.end as usize);
    }
}

/// Whether that is certain. ASCII always is, and what comes behind it starts anew: only what stands between is looked at.
fn is_nfc(text: &str) -> bool {
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

/// Dropout would draw other tokens each time.
fn has_fixed_tokens(model: &ModelWrapper) -> bool {
    matches!(model, ModelWrapper::BPE(bpe) if bpe.dropout.is_none())
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
fn around(tokenizer: &Tokenizer) -> Result<(Vec<u32>, Vec<u32>)> {
    let (bare, all) = (tokenizer.encode("a", false)?, tokenizer.encode("a", true)?);
    let (bare, all) = (bare.get_ids(), all.get_ids());
    let begin =
        all.windows(bare.len().max(1)).position(|window| window == bare).ok_or("the text's tokens are changed")?;
    Ok((all[..begin].to_vec(), all[begin + bare.len()..].to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nfc_is_looked_for_between_ascii_alone() {
        let parts = ["a", " ", "é", "e\u{301}", "\u{301}", "\u{323}", "你", "\u{1100}", "\u{1161}", "ﬁ", "\u{212b}"];
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = [first, second, third].concat();
                    assert_eq!(is_nfc(&text), is_nfc_quick(text.chars()) == IsNormalized::Yes, "{text:?}");
                }
            }
        }
    }
}
