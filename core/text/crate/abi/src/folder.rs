// SPDX-License-Identifier: GPL-3.0-or-later
//! What a model folder says about its tokenizer and chat template besides tokenizer.json.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use failure::{Failure, FailureKind, Outcome};
use jinja::{parse_json, Dict, Value};
use tokenize::{AddedToken, Settings, SPECIAL_NAMES};

/// Text of a file in a model folder, None where there is no such file.
pub fn read_optional(path: &Path) -> Outcome<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))),
            Err(_) => Err(Failure::invalid(format!("{} is not UTF-8 text", path.display()))),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::new(FailureKind::Io, format!("cannot read {}: {error}", path.display()), "")),
    }
}

fn read_object(path: &Path) -> Outcome<Option<std::rc::Rc<Dict>>> {
    let Some(text) = read_optional(path)? else { return Ok(None) };
    match parse_json(&text) {
        Ok(Value::Dict(dict)) => Ok(Some(dict)),
        Ok(_) => Err(Failure::invalid(format!("{} holds no JSON object", path.display()))),
        Err(error) => Err(Failure::invalid(format!("{}: {error}", path.display()))),
    }
}

pub struct Folder {
    /// Keys of tokenizer_config.json, and of special_tokens_map.json where that still counts.
    settings: Vec<(Value, Value)>,
    /// added_tokens_decoder of tokenizer_config.json, by id.
    added_tokens: Vec<AddedToken>,
    model_type: Option<String>,
}

impl Folder {
    pub fn read(folder: &Path) -> Outcome<Self> {
        let config = read_object(&folder.join("tokenizer_config.json"))?;
        let mut settings = config.map(|dict| dict.entries.clone()).unwrap_or_default();
        let decoder = find(&settings, "added_tokens_decoder").cloned();
        // transformers looks at special_tokens_map.json only where the config predates added_tokens_decoder.
        if decoder.is_none() {
            if let Some(map) = read_object(&folder.join("special_tokens_map.json"))? {
                for (key, value) in &map.entries {
                    settings.retain(|(name, _)| name.as_str() != key.as_str());
                    settings.push((key.clone(), value.clone()));
                }
            }
        }
        let mut by_id = Vec::new();
        if let Some(Value::Dict(tokens)) = &decoder {
            for (id, token) in &tokens.entries {
                let id: u64 = id.as_str().and_then(|id| id.parse().ok()).unwrap_or(u64::MAX);
                by_id.extend(added_token(token).map(|token| (id, token)));
            }
        }
        by_id.sort_by_key(|(id, _)| *id);
        let model_type = read_object(&folder.join("config.json"))?
            .and_then(|config| config.get_str("model_type").and_then(Value::as_str).map(str::to_string));
        Ok(Self { settings, added_tokens: by_id.into_iter().map(|(_, token)| token).collect(), model_type })
    }

    fn get(&self, name: &str) -> Option<&Value> {
        find(&self.settings, name).filter(|value| !matches!(value, Value::None))
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match self.get(name) {
            Some(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// What the tokenizer is set up by.
    pub fn tokenizer_settings(self) -> Settings {
        Settings {
            class: self.tokenizer_class().map(str::to_string),
            add_prefix_space: self.flag("add_prefix_space"),
            legacy: self.flag("legacy"),
            add_bos_token: self.flag("add_bos_token"),
            add_eos_token: self.flag("add_eos_token"),
            named_tokens: self.named_tokens(),
            extra_tokens: self.extra_tokens(),
            added_tokens: self.added_tokens,
            model_type: self.model_type,
        }
    }

    /// The class without its "Fast".
    fn tokenizer_class(&self) -> Option<&str> {
        let class = self.get("tokenizer_class")?.as_str()?;
        Some(class.strip_suffix("Fast").unwrap_or(class))
    }

    /// Name and text of the special tokens that have a name; templates see them under it.
    pub fn named_tokens(&self) -> Vec<(String, String)> {
        let mut named = Vec::new();
        for name in SPECIAL_NAMES {
            let text = match find(&self.settings, name) {
                Some(value) => token_text(value),
                None => self.class_default(name).map(str::to_string),
            };
            named.extend(text.map(|text| (name.to_string(), text)));
        }
        let own = self.settings.iter().filter_map(|(key, value)| Some((key.as_str()?, value)));
        let own =
            own.filter(|(key, _)| key.ends_with("_token") && !key.starts_with("add_") && !SPECIAL_NAMES.contains(key));
        named.extend(own.filter_map(|(key, value)| Some((key.to_string(), token_text(value)?))));
        if let Some(Value::Dict(extra)) = self.get("extra_special_tokens") {
            let extra =
                extra.entries.iter().filter_map(|(key, value)| Some((key.as_str()?.to_string(), token_text(value)?)));
            named.extend(extra);
        }
        named
    }

    /// What transformers' tokenizer classes assume where the files say nothing.
    fn class_default(&self, name: &str) -> Option<&'static str> {
        match (self.tokenizer_class()?, name) {
            ("LlamaTokenizer", "bos_token") => Some("<s>"),
            ("LlamaTokenizer", "eos_token") => Some("</s>"),
            ("LlamaTokenizer", "unk_token") => Some("<unk>"),
            ("Qwen2Tokenizer", "eos_token" | "unk_token" | "pad_token") => Some("<|endoftext|>"),
            _ => None,
        }
    }

    /// Special tokens without a name.
    fn extra_tokens(&self) -> Vec<String> {
        let list =
            self.get("extra_special_tokens").filter(|value| matches!(value, Value::List(seq) if !seq.items.is_empty()));
        match list.or_else(|| self.get("additional_special_tokens")) {
            Some(Value::List(tokens)) => tokens.items.iter().filter_map(token_text).collect(),
            _ => Vec::new(),
        }
    }

    /// The chat templates of tokenizer_config.json, by name.
    fn config_templates(&self) -> Vec<(String, String)> {
        match self.get("chat_template") {
            Some(Value::Str(source)) => vec![("default".into(), source.to_string())],
            Some(Value::List(named)) => named
                .items
                .iter()
                .filter_map(|entry| match entry {
                    Value::Dict(dict) => Some((
                        dict.get_str("name")?.as_str()?.to_string(),
                        dict.get_str("template")?.as_str()?.to_string(),
                    )),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}

fn find<'a>(entries: &'a [(Value, Value)], name: &str) -> Option<&'a Value> {
    entries.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value)
}

/// A special token is written as its text or as an AddedToken object.
fn token_text(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.to_string()),
        Value::Dict(token) => token.get_str("content")?.as_str().map(str::to_string),
        _ => None,
    }
}

fn added_token(value: &Value) -> Option<AddedToken> {
    let Value::Dict(token) = value else { return None };
    let flag = |name: &str| match token.get_str(name) {
        Some(Value::Bool(value)) => Some(*value),
        _ => None,
    };
    let special = flag("special").unwrap_or(false);
    let made = AddedToken::from(token_text(value)?, special)
        .lstrip(flag("lstrip").unwrap_or(false))
        .rstrip(flag("rstrip").unwrap_or(false))
        .single_word(flag("single_word").unwrap_or(false))
        .normalized(flag("normalized").unwrap_or(!special));
    Some(made)
}

/// The templates of a folder by name, where several files have one in the order in which transformers looks.
pub fn chat_templates(folder: &Path, settings: &Folder) -> Outcome<Vec<(String, String)>> {
    let mut templates = Vec::new();
    if let Some(source) = read_optional(&folder.join("chat_template.jinja"))? {
        templates.push(("default".to_string(), source));
    }
    for path in additional_templates(&folder.join("additional_chat_templates")) {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        templates.extend(read_optional(&path)?.map(|source| (name, source)));
    }
    if templates.is_empty() {
        templates = settings.config_templates();
    }
    if templates.is_empty() {
        let legacy = read_object(&folder.join("chat_template.json"))?;
        let source = legacy.as_ref().and_then(|dict| dict.get_str("chat_template")).and_then(Value::as_str);
        templates.extend(source.map(|source| ("default".to_string(), source.to_string())));
    }
    Ok(templates)
}

fn additional_templates(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).map(|entries| entries.filter_map(Result::ok).map(|e| e.path()).collect());
    let mut paths: Vec<std::path::PathBuf> = entries.unwrap_or_default();
    paths.retain(|path| path.extension().is_some_and(|e| e == "jinja"));
    paths.sort();
    paths
}
