// SPDX-License-Identifier: GPL-3.0-or-later
//! What a model folder says about its tokenizer besides tokenizer.json. Plain values: whoever reads the folder fills them
//! in, so that no JSON is read here.

use tokenizers::AddedToken;

/// The special tokens that have a name, in the order of the C ABI.
pub const SPECIAL_NAMES: [&str; 7] =
    ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

pub struct Settings {
    /// The tokenizer's class without its "Fast".
    pub class: Option<String>,
    /// The kind of model that config.json names.
    pub model_type: Option<String>,
    pub add_prefix_space: Option<bool>,
    pub legacy: Option<bool>,
    pub add_bos_token: Option<bool>,
    pub add_eos_token: Option<bool>,
    /// By id.
    pub added_tokens: Vec<AddedToken>,
    /// Name and text of the special tokens that have a name, those of SPECIAL_NAMES and others.
    pub named_tokens: Vec<(String, String)>,
    /// Special tokens without a name.
    pub extra_tokens: Vec<String>,
}
