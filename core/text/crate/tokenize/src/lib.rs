// SPDX-License-Identifier: GPL-3.0-or-later
//! Hugging Face's tokenizers as transformers sets them up from a model folder, and a short way through them.

mod added;
mod borders;
mod cutter;
mod file;
mod nfc;
mod set_up;
mod settings;
mod stream;
mod stretches;
mod tokenizer;
mod tokens;
mod way;
mod words;

pub use file::TokenizerFile;
pub use settings::{Settings, SPECIAL_NAMES};
pub use stream::DecodeStream;
pub use tokenizer::{Encoding, Tokenizer};
pub use tokenizers::AddedToken;
pub use tokens::Block;
