// SPDX-License-Identifier: GPL-3.0-or-later
//! What a tokenizer of byte pairs makes of a text before it joins characters: how its words are told, and whether their
//! tokens depend on nothing else.

use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::replace::Replace;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::metaspace::{Metaspace, PrependScheme};
use tokenizers::pre_tokenizers::split::SplitPattern;
use tokenizers::{Model, NormalizerWrapper, PreTokenizerWrapper, Tokenizer};

use crate::borders::{byte_name, Borders};
use crate::cutter::Cutter;

/// Of a word twice as long, what is encoded at once; no token of a vocabulary is nearly as long.
pub const STRETCH: usize = 1 << 15;

/// What a blank is in the vocabulary where a normalizer makes it one.
pub const MARK: &str = "\u{2581}";

pub enum Cut {
    Expression(Cutter),
    Borders(Borders),
}

/// The mark that a text's first word has in front of it.
pub struct Prefix {
    pub mark: String,
    /// Or else of the words behind added tokens, too.
    pub is_of_text: bool,
    /// Also where the word begins with a mark or a blank.
    pub is_doubled: bool,
}

pub struct Way {
    pub wants_nfc: bool,
    /// The text is cut by the first, what comes out of it by the next.
    pub cuts: Vec<Cut>,
    pub prefix: Option<Prefix>,
    /// What the tokenizer does with each word before the model gets it.
    pub rest: Vec<PreTokenizerWrapper>,
}

impl Way {
    /// None where a word's tokens may depend on more than the word.
    pub fn of(tokenizer: &Tokenizer, model: &BPE) -> Option<Self> {
        Self::by_expressions(tokenizer).or_else(|| Self::by_borders(tokenizer, model))
    }

    /// Whether the model gets of a word what it gets of the word's parts, and knows every character of it.
    pub fn gives_words_in_parts(&self, model: &BPE) -> bool {
        let knows_all = match &*self.rest {
            [PreTokenizerWrapper::ByteLevel(bytes)] if !bytes.add_prefix_space && !bytes.use_regex => {
                ByteLevel::alphabet().iter().all(|byte| model.token_to_id(&byte.to_string()).is_some())
            }
            [PreTokenizerWrapper::Metaspace(_)] => knows_all_bytes(model),
            _ => false,
        };
        // A word that is a token as a whole would be one where it is a stretch of another, too.
        let is_short = |token: &String| token.len() < STRETCH / 2;
        knows_all && joins_characters_only(model) && (!model.ignore_merges || model.get_vocab().keys().all(is_short))
    }

    /// Of a text that expressions cut before the model sees characters.
    fn by_expressions(tokenizer: &Tokenizer) -> Option<Self> {
        let wants_nfc = match normalizers_of(tokenizer) {
            [] => false,
            [NormalizerWrapper::NFC(_)] => true,
            _ => return None,
        };
        let steps = match tokenizer.get_pre_tokenizer()? {
            PreTokenizerWrapper::Sequence(sequence) => sequence.as_ref(),
            single => std::slice::from_ref(single),
        };
        let cuts: Vec<Cut> = steps.iter().map_while(|step| Cutter::of(step).map(Cut::Expression)).collect();
        let rest = steps[cuts.len()..].to_vec();
        (!cuts.is_empty()).then_some(Self { cuts, rest, prefix: None, wants_nfc })
    }

    /// Of a text in which blanks become marks, and nothing else happens before its characters are joined. Each character
    /// has to be a token, or its bytes: unknown ones in a row would be one.
    fn by_borders(tokenizer: &Tokenizer, model: &BPE) -> Option<Self> {
        let (marks, prefix) = marks_of(tokenizer)?;
        if model.ignore_merges || !joins_characters_only(model) || !knows_all_bytes(model) {
            return None;
        }
        let vocabulary = model.get_vocab();
        let borders = Borders::of(vocabulary.keys().map(String::as_str), marks.get_replacement())?;
        Some(Self { cuts: vec![Cut::Borders(borders)], rest: vec![marks.into()], prefix, wants_nfc: false })
    }
}

impl Prefix {
    pub fn belongs_before(&self, word: &str) -> bool {
        self.is_doubled || !(word.starts_with(' ') || word.starts_with(&*self.mark))
    }
}

fn normalizers_of(tokenizer: &Tokenizer) -> &[NormalizerWrapper] {
    match tokenizer.get_normalizer() {
        None => &[],
        Some(NormalizerWrapper::Sequence(all)) => all.as_ref(),
        Some(one) => std::slice::from_ref(one),
    }
}

/// How blanks become marks in a word, and what its text's first word has in front.
fn marks_of(tokenizer: &Tokenizer) -> Option<(Metaspace, Option<Prefix>)> {
    let blanks = Replace::new(" ", MARK).ok()?;
    let plain = || Metaspace::new('\u{2581}', PrependScheme::Never, false);
    match (normalizers_of(tokenizer), tokenizer.get_pre_tokenizer()) {
        ([], Some(PreTokenizerWrapper::Metaspace(marks))) => {
            let mark = marks.get_replacement();
            let is_of_text = marks.prepend_scheme == PrependScheme::First;
            let prefix = Prefix { mark: mark.into(), is_of_text, is_doubled: false };
            let prefix = (marks.prepend_scheme != PrependScheme::Never).then_some(prefix);
            Some((Metaspace::new(mark, PrependScheme::Never, marks.get_split()), prefix))
        }
        ([NormalizerWrapper::Prepend(prepend), NormalizerWrapper::Replace(replace)], None)
            if *replace == blanks && prepend.prepend == MARK =>
        {
            Some((plain(), Some(Prefix { mark: MARK.into(), is_of_text: false, is_doubled: true })))
        }
        ([NormalizerWrapper::Replace(replace)], None) if *replace == blanks => Some((plain(), None)),
        // Gemma's: no blank is left that it could cut at.
        ([NormalizerWrapper::Replace(replace)], Some(PreTokenizerWrapper::Split(split)))
            if *replace == blanks && split.pattern == SplitPattern::String(" ".into()) && !split.invert =>
        {
            Some((plain(), None))
        }
        _ => None,
    }
}

fn joins_characters_only(model: &BPE) -> bool {
    let is_empty = |affix: &Option<String>| affix.as_ref().is_none_or(String::is_empty);
    is_empty(&model.continuing_subword_prefix) && is_empty(&model.end_of_word_suffix)
}

fn knows_all_bytes(model: &BPE) -> bool {
    model.byte_fallback && (0..=255).all(|byte| model.token_to_id(&byte_name(byte)).is_some())
}
