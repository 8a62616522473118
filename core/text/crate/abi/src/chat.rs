// SPDX-License-Identifier: GPL-3.0-or-later
//! The chat templates of a model folder, and their rendering.

use std::path::Path;

use failure::{Failure, FailureKind, Outcome};
use jinja::{parse_json, Clock, Kind, Rendered, Template, Value};

use crate::folder::{chat_templates, read_optional, Folder};
use crate::messages::{prepare_messages, variables_of};
use crate::tags::{with_tags, Turns};

struct Source {
    name: String,
    text: String,
    /// A broken one matters only when it is used.
    parsed: jinja::Result<Template>,
    /// Its generation tags are ours, and mark a turn piece by piece.
    in_pieces: bool,
}

pub struct ChatTemplate {
    /// Where it was looked for.
    place: String,
    templates: Vec<Source>,
    special_tokens: Vec<(String, String)>,
}

pub struct Request<'a> {
    pub messages: &'a str,
    /// JSON, or empty for none.
    pub tools: &'a str,
    pub documents: &'a str,
    pub extra: &'a str,
    pub add_generation_prompt: bool,
    pub clock: Clock,
}

/// Models' templates have some kilobytes, up to twenty.
const LONGEST_TEMPLATE: usize = 1 << 20;

/// A file of rows that was taken for a template would be parsed for long, and then print itself for each row.
fn require_template(path: &Path, source: &str) -> Outcome<()> {
    let has_tags = source.contains("{{") || source.contains("{%");
    if has_tags && source.len() <= LONGEST_TEMPLATE {
        return Ok(());
    }
    let why = if has_tags { "it is far too long" } else { "it has no {{ … }} and no {% … %}" };
    Err(Failure::new(
        FailureKind::InvalidInput,
        format!("{} is no chat template: {why}.", path.display()),
        "A chat template is a text in Jinja, as chat_template.jinja of many models.",
    ))
}

impl ChatTemplate {
    pub fn open(folder: &Path, override_file: Option<&Path>) -> Outcome<Self> {
        let settings = Folder::read(folder)?;
        let sources = match override_file {
            Some(path) => match read_optional(path)? {
                Some(source) => {
                    require_template(path, &source)?;
                    vec![("default".to_string(), source)]
                }
                None => {
                    return Err(Failure::new(
                        FailureKind::Io,
                        format!("there is no chat template {}", path.display()),
                        "",
                    ))
                }
            },
            None => chat_templates(folder, &settings)?,
        };
        let place = override_file.unwrap_or(folder).display().to_string();
        Ok(Self { place, ..Self::new(sources, settings.named_tokens()) })
    }

    /// A template without a folder; it is parsed at once. `special_tokens`: a JSON object of texts, or empty.
    pub fn from_source(source: &str, special_tokens: &str) -> Outcome<Self> {
        let entries =
            if special_tokens.is_empty() { Vec::new() } else { object("the special tokens", special_tokens)? };
        let texts = entries.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_string())));
        let made = Self::new(vec![("default".to_string(), source.to_string())], texts.collect());
        made.select(false)?;
        Ok(made)
    }

    fn new(sources: Vec<(String, String)>, special_tokens: Vec<(String, String)>) -> Self {
        let templates = sources.into_iter().map(|(name, text)| {
            let parsed = Template::parse(&text);
            match parsed.as_ref().ok().and_then(|plain| with_tags(&text, plain, &special_tokens)) {
                Some((tagged, turns)) => Source { name, text, parsed: Ok(tagged), in_pieces: turns == Turns::InPieces },
                None => Source { name, text, parsed, in_pieces: false },
            }
        });
        Self { place: String::new(), templates: templates.collect(), special_tokens }
    }

    /// As transformers chooses: the tool_use template where there are tools, else the default one.
    fn select(&self, with_tools: bool) -> Outcome<(&Source, &Template)> {
        if self.templates.is_empty() {
            return Err(Failure::new(
                FailureKind::Unsupported,
                format!(
                    "{} has no chat template: none in tokenizer_config.json, no chat_template.jinja, no chat_template.json.",
                    self.place
                ),
                "Base models often have none. Give one with model.chat_template (--chat-template FILE).",
            ));
        }
        let find = |wanted: &str| self.templates.iter().find(|source| source.name == wanted);
        let Some(source) = find("tool_use").filter(|_| with_tools).or_else(|| find("default")) else {
            let names: Vec<&str> = self.templates.iter().map(|source| source.name.as_str()).collect();
            return Err(Failure::new(
                FailureKind::InvalidInput,
                format!("the model has several chat templates and none is the default: {}", names.join(", ")),
                "Give one with model.chat_template (--chat-template FILE).",
            ));
        };
        match &source.parsed {
            Ok(template) => Ok((source, template)),
            Err(error) if self.place.is_empty() => Err(from_template("chat template", error.clone())),
            Err(error) => Err(from_template(&format!("the chat template of {}", self.place), error.clone())),
        }
    }

    /// Empty where the model has no template: plain text can be trained without one.
    pub fn source(&self, with_tools: bool) -> Outcome<&str> {
        if self.templates.is_empty() {
            return Ok("");
        }
        self.select(with_tools).map(|(source, _)| source.text.as_str())
    }

    pub fn has_generation(&self, with_tools: bool) -> Outcome<bool> {
        self.select(with_tools).map(|(_, template)| template.has_generation)
    }

    pub fn render(&self, request: &Request) -> Outcome<Rendered> {
        let tools = optional("tools", request.tools)?;
        let (source, template) = self.select(!matches!(tools, Value::None))?;
        let messages = parse("messages", request.messages)?;
        let messages = prepare_messages(&messages)?;
        let mut variables = variables_of(&self.special_tokens);
        if !request.extra.is_empty() {
            for (name, value) in object("template arguments", request.extra)? {
                if matches!(name.as_str(), "messages" | "tools" | "documents" | "add_generation_prompt") {
                    return Err(Failure::invalid(format!("the template argument '{name}' is set by the program")));
                }
                variables.retain(|(known, _)| **known != *name);
                variables.push((name.into(), value));
            }
        }
        variables.push(("messages".into(), messages));
        variables.push(("tools".into(), tools));
        variables.push(("documents".into(), optional("documents", request.documents)?));
        variables.push(("add_generation_prompt".into(), Value::Bool(request.add_generation_prompt)));
        if !request.clock.is_valid() {
            return Err(Failure::invalid("the frozen date of the chat template is no date"));
        }
        let mut rendered =
            template.render(&variables, Some(request.clock)).map_err(|e| from_template("chat template", e))?;
        if source.in_pieces {
            rendered.spans = joined(rendered.spans);
        }
        Ok(rendered)
    }
}

/// Spans that touch, as one.
fn joined(spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (begin, end) in spans {
        match joined.last_mut() {
            Some(last) if last.1 == begin => last.1 = end,
            _ => joined.push((begin, end)),
        }
    }
    joined
}

fn from_template(what: &str, error: Box<jinja::Error>) -> Failure {
    let (kind, advice) = match error.kind {
        Kind::Unsupported => {
            (FailureKind::Unsupported, "Give a template that does without it with --chat-template FILE.")
        }
        Kind::Syntax => (FailureKind::InvalidInput, "Mend the template, or give another with --chat-template FILE."),
        Kind::Spent => (FailureKind::Spent, ""),
        Kind::Raised | Kind::Runtime => (FailureKind::InvalidInput, ""),
    };
    Failure::new(kind, format!("{what}: {error}"), advice)
}

fn parse(what: &str, text: &str) -> Outcome<Value> {
    parse_json(text).map_err(|error| from_template(what, error))
}

/// A list of objects, or none at all.
fn optional(what: &str, text: &str) -> Outcome<Value> {
    if text.is_empty() {
        return Ok(Value::None);
    }
    match parse(what, text)? {
        Value::None => Ok(Value::None),
        Value::List(list) if list.items.iter().all(|item| matches!(item, Value::Dict(_))) => Ok(Value::List(list)),
        _ => Err(Failure::invalid(format!("{what} must be a list of objects"))),
    }
}

fn object(what: &str, text: &str) -> Outcome<Vec<(String, Value)>> {
    match parse(what, text)? {
        Value::Dict(dict) => {
            let entries =
                dict.entries.iter().filter_map(|(key, value)| Some((key.as_str()?.to_string(), value.clone())));
            Ok(entries.collect())
        }
        _ => Err(Failure::invalid(format!("{what} must be a JSON object"))),
    }
}
