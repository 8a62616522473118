// SPDX-License-Identifier: GPL-3.0-or-later
//! Text ↔ ids, once a folder's tokenizer is set up.

use failure::{Failure, FailureKind, Outcome};

use crate::file::TokenizerFile;
use crate::set_up::{set_up, NamedTokens};
use crate::settings::Settings;
use crate::tokens::{Block, Tokens};
use crate::words::{library_failed, require_short, Words};

pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    words: Option<Words>,
    /// By id, from the first special one on: the ids of words are below it as a rule.
    is_special: Vec<bool>,
    first_special: u32,
    named: NamedTokens,
}

/// The tokens of a text, to be taken block by block.
pub struct Encoding {
    len: usize,
    blocks: std::vec::IntoIter<Block>,
}

impl Encoding {
    pub fn len(&self) -> usize {
        self.len
    }
}

impl Iterator for Encoding {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        self.blocks.next()
    }
}

impl Tokenizer {
    /// The tokenizer of a folder, whose settings besides tokenizer.json are given.
    pub fn new(file: TokenizerFile, settings: &Settings) -> Outcome<Self> {
        let TokenizerFile { path, bytes, tokenizer } = file;
        let (inner, named) = set_up(tokenizer, &bytes, settings)
            .map_err(|error| Failure::invalid(format!("{}: {error}", path.display())))?;
        let added = inner.get_added_tokens_decoder();
        let special = || added.iter().filter(|(_, token)| token.special).map(|(id, _)| *id);
        let first_special = special().min().unwrap_or(0);
        let mut is_special = vec![false; special().max().map_or(0, |last| (last - first_special) as usize + 1)];
        for id in special() {
            is_special[(id - first_special) as usize] = true;
        }
        let words = Words::of(&inner);
        Ok(Self { inner, words, is_special, first_special, named })
    }

    pub fn encode(&self, text: &str, add_special_tokens: bool) -> Outcome<Encoding> {
        if u32::try_from(text.len()).is_err() {
            let message = format!("a text of {} bytes is too long for one row", text.len());
            return Err(Failure::new(FailureKind::TooLong, message, ""));
        }
        let tokens = match &self.words {
            Some(words) => words.encode(&self.inner, text, add_special_tokens)?,
            None => self.encode_whole(text, add_special_tokens)?,
        };
        Ok(Encoding { len: tokens.len(), blocks: tokens.into_blocks() })
    }

    fn encode_whole(&self, text: &str, add_special_tokens: bool) -> Outcome<Tokens> {
        require_short(text)?;
        let encoding = self.inner.encode(text, add_special_tokens).map_err(library_failed)?;
        let mut tokens = Tokens::for_bytes(text.len());
        for (id, (begin, end)) in encoding.get_ids().iter().zip(encoding.get_offsets()) {
            tokens.push(*id, *begin, *end);
        }
        Ok(tokens)
    }

    pub fn decode(&self, ids: &[u32], skip_special_tokens: bool) -> Outcome<String> {
        if let Some(id) = ids.iter().find(|id| self.inner.id_to_token(**id).is_none()) {
            return Err(Failure::invalid(format!(
                "the token id {id} is not in the vocabulary of {} tokens",
                self.vocab_size()
            )));
        }
        self.inner.decode(ids, skip_special_tokens).map_err(library_failed)
    }

    pub fn id_to_token(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    pub fn vocab_size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    pub fn is_special(&self, id: u32) -> bool {
        self.is_special.get(id.wrapping_sub(self.first_special) as usize).copied().unwrap_or(false)
    }

    /// A special token by the order of SPECIAL_NAMES.
    pub fn named(&self, which: usize) -> Option<&(String, Option<u32>)> {
        self.named.get(which)?.as_ref()
    }
}
