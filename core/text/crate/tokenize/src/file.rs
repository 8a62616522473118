// SPDX-License-Identifier: GPL-3.0-or-later
//! tokenizer.json of a model folder, the only form of tokenizer that is read.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use failure::{Failure, FailureKind, Outcome};

const CONVERT: &str =
    "Convert it once with transformers: AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER)";

/// The tokenizer as the file has it, before the rest of the folder has its say.
pub struct TokenizerFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) tokenizer: tokenizers::Tokenizer,
}

impl TokenizerFile {
    pub fn read(folder: &Path) -> Outcome<Self> {
        let path = folder.join("tokenizer.json");
        if !path.is_file() {
            return Err(missing(folder));
        }
        let bytes = std::fs::read(&path)
            .map_err(|error| Failure::new(FailureKind::Io, format!("cannot read {}: {error}", path.display()), ""))?;
        let tokenizer = parsed(&bytes).map_err(|error| Failure::invalid(format!("{}: {error}", path.display())))?;
        Ok(Self { path, bytes, tokenizer })
    }
}

/// The library unwraps some of what it reads, some of it with the first text: a file that is damaged there panics, and is
/// no fault of ours.
fn parsed(bytes: &[u8]) -> Result<tokenizers::Tokenizer, String> {
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).map_err(|error| error.to_string())?;
    let read = || -> tokenizers::Result<tokenizers::Tokenizer> {
        let tokenizer = tokenizers::Tokenizer::from_bytes(bytes)?;
        let _ = tokenizer.encode("a", true);
        Ok(tokenizer)
    };
    catch_unwind(read)
        .unwrap_or_else(
            |_| Err("a part of it is not what its \"type\" says, or names a token that is not there".into()),
        )
        .map_err(|error| error.to_string())
}

fn missing(folder: &Path) -> Failure {
    let other = ["tokenizer.model", "tokenizer.model.v3", "tekken.json", "vocab.json", "vocab.txt", "spiece.model"]
        .into_iter()
        .find(|name| folder.join(name).is_file());
    match other {
        Some(name) => Failure::new(
            FailureKind::Unsupported,
            format!("{} has {name} but no tokenizer.json, the only form of tokenizer that is read", folder.display()),
            format!("{CONVERT}, or take a copy of the model that has a tokenizer.json."),
        ),
        None => Failure::new(
            FailureKind::InvalidInput,
            format!("the tokenizer is missing: there is no {}", folder.join("tokenizer.json").display()),
            "Copy tokenizer.json and tokenizer_config.json of the model into its folder.",
        ),
    }
}
