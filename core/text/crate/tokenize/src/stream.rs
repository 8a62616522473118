// SPDX-License-Identifier: GPL-3.0-or-later
//! Text of tokens as they are generated: only whole characters leave, and a token sees the one before it, as some
//! decoders drop the space at the very start.

use std::sync::Arc;

use failure::Outcome;

use crate::tokenizer::Tokenizer;

pub struct DecodeStream {
    tokenizer: Arc<Tokenizer>,
    skip_special_tokens: bool,
    /// The tokens that are still looked at; the text of the first `num_done` has left.
    ids: Vec<u32>,
    num_done: usize,
}

impl DecodeStream {
    pub fn new(tokenizer: Arc<Tokenizer>, skip_special_tokens: bool) -> Self {
        Self { tokenizer, skip_special_tokens, ids: Vec::new(), num_done: 0 }
    }

    pub fn push(&mut self, id: u32) -> Outcome<String> {
        if self.tokenizer.id_to_token(id).is_none() {
            return Ok(String::new()); // models have more rows than their tokenizer has tokens: such a row has no text
        }
        self.ids.push(id);
        self.take(false)
    }

    /// What is left: the replacement character for bytes that never became a whole one.
    pub fn finish(&mut self) -> Outcome<String> {
        let rest = self.take(true)?;
        self.ids.clear();
        self.num_done = 0;
        Ok(rest)
    }

    fn take(&mut self, all: bool) -> Outcome<String> {
        let done = self.tokenizer.decode(&self.ids[..self.num_done], self.skip_special_tokens)?;
        let text = self.tokenizer.decode(&self.ids, self.skip_special_tokens)?;
        if text.ends_with('\u{fffd}') && !all {
            return Ok(String::new());
        }
        let Some(fresh) = text.strip_prefix(&done).filter(|fresh| !fresh.is_empty()) else { return Ok(String::new()) };
        self.ids.drain(..self.num_done);
        self.num_done = self.ids.len();
        Ok(fresh.to_string())
    }
}
