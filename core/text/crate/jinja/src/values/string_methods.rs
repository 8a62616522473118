// SPDX-License-Identifier: GPL-3.0-or-later
//! The methods of Python's str.

use super::arguments::{int_or, slice_range, text_of, CallArgs};
use super::printf;
use super::strings;
use super::value::Value;
use crate::budget::{self, check_size};
use crate::error::{runtime, unsupported, Result};
use crate::tree::Name;

fn optional_text(value: &Option<Value>, what: &str) -> Result<Option<String>> {
    match value {
        None | Some(Value::None) => Ok(None),
        Some(value) => Ok(Some(text_of(value, what)?.to_string())),
    }
}

pub fn call(text: &Name, name: &str, args: &CallArgs) -> Result<Value> {
    let string = |out: String| Ok(Value::str(out));
    budget::spend(text.len() / 8)?;
    match name {
        "strip" | "lstrip" | "rstrip" => {
            let [chars] = args.positional(name, 0)?;
            let chars = optional_text(&chars, "the characters to strip")?;
            let rest = strings::strip(text, chars.as_deref(), name != "rstrip", name != "lstrip");
            Ok(if rest.len() == text.len() { Value::Str(text.clone()) } else { Value::str(rest) })
        }
        "split" | "rsplit" => {
            let [sep, count] = args.bind(name, ["sep", "maxsplit"], 0)?;
            let sep = optional_text(&sep, "the separator")?;
            let parts = strings::split(text, sep.as_deref(), int_or(&count, -1, "maxsplit")?, name == "rsplit")?;
            Ok(Value::list(parts.into_iter().map(Value::str).collect()))
        }
        "splitlines" => {
            let [keep] = args.bind(name, ["keepends"], 0)?;
            let keep = keep.is_some_and(|k| k.truth());
            Ok(Value::list(strings::lines(text, keep).into_iter().map(Value::str).collect()))
        }
        "partition" | "rpartition" => {
            let [sep] = args.positional(name, 1)?;
            let sep = sep.unwrap_or(Value::None);
            let sep = text_of(&sep, "the separator")?;
            if sep.is_empty() {
                return runtime("empty separator");
            }
            let split = if name == "partition" { text.split_once(sep) } else { text.rsplit_once(sep) };
            let parts = match split {
                Some((before, after)) => [before, sep, after],
                None if name == "partition" => [text, "", ""],
                None => ["", "", text],
            };
            Ok(Value::tuple(parts.into_iter().map(Value::str).collect()))
        }
        "startswith" | "endswith" => affix(text, name, args),
        "removeprefix" | "removesuffix" => {
            let [part] = args.positional(name, 1)?;
            let part = part.unwrap_or(Value::None);
            let part = text_of(&part, "the part to remove")?;
            let rest = if name == "removeprefix" { text.strip_prefix(part) } else { text.strip_suffix(part) };
            Ok(Value::str(rest.unwrap_or(text)))
        }
        "replace" => {
            let [old, new, count] = args.bind(name, ["", "", "count"], 2)?;
            let (old, new) = (old.unwrap_or(Value::None), new.unwrap_or(Value::None));
            let (old, new) = (text_of(&old, "the text to replace")?, text_of(&new, "the replacement")?);
            string(strings::replace(text, old, new, int_or(&count, -1, "count")?)?)
        }
        "find" | "rfind" | "index" | "rindex" | "count" => search(text, name, args),
        "join" => {
            let [items] = args.positional(name, 1)?;
            let mut out = String::new();
            for (at, item) in items.unwrap_or(Value::None).defined()?.iterate()?.iter().enumerate() {
                out.push_str(if at > 0 { text } else { "" });
                out.push_str(text_of(item, "an item to join")?);
                check_size(out.len())?;
            }
            string(out)
        }
        "lower" | "upper" | "title" | "capitalize" | "isspace" | "isalpha" | "isdigit" | "isalnum" | "isdecimal"
        | "isnumeric" | "islower" | "isupper" | "istitle" | "isascii" | "swapcase" | "casefold" => {
            args.positional::<0>(name, 0)?;
            case_method(text, name)
        }
        "center" | "ljust" | "rjust" | "zfill" => {
            let [width, fill] = args.positional(name, 1)?;
            let fill = fill.map_or(Ok(" ".to_string()), |f| text_of(&f, "the fill character").map(str::to_string))?;
            string(strings::pad(text, name, int_or(&width, 0, "the width")?, &fill)?)
        }
        "format" => string(printf::brace_format(text, args)?),
        _ => unsupported(format!("the method '{name}' of a str")),
    }
}

fn affix(text: &str, name: &str, args: &CallArgs) -> Result<Value> {
    let [part, start, stop] = args.positional(name, 1)?;
    let part = part.unwrap_or(Value::None);
    let holds =
        |text: &str, part: &str| if name == "startswith" { text.starts_with(part) } else { text.ends_with(part) };
    if let (Value::Str(part), None, None) = (&part, &start, &stop) {
        return Ok(Value::Bool(holds(text, part)));
    }
    let len = text.chars().count();
    if start.as_ref().is_some_and(|s| int_or(&Some(s.clone()), 0, "start").is_ok_and(|s| s > len as i128)) {
        return Ok(Value::Bool(false));
    }
    let (start, stop) = slice_range(len, &start, &stop)?;
    let part_of: String = text.chars().take(stop).skip(start).collect();
    let parts = match part.defined()? {
        Value::Tuple(seq) => seq.items.clone(),
        other => vec![other.clone()],
    };
    for part in &parts {
        let part = text_of(part, "the argument of startswith or endswith")?;
        if holds(&part_of, part) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn search(text: &str, name: &str, args: &CallArgs) -> Result<Value> {
    let [part, start, stop] = args.positional(name, 1)?;
    let part = part.unwrap_or(Value::None);
    let part = text_of(&part, "the text to find")?;
    let (start, stop) = slice_range(text.chars().count(), &start, &stop)?;
    let window: String = text.chars().take(stop).skip(start).collect();
    if name == "count" {
        let count = if part.is_empty() { window.chars().count() + 1 } else { window.matches(part).count() };
        return Ok(Value::Int(count as i128));
    }
    let found = if name.starts_with('r') { window.rfind(part) } else { window.find(part) };
    match found {
        Some(at) => Ok(Value::Int((start + window[..at].chars().count()) as i128)),
        None if name.ends_with("index") => runtime("substring not found"),
        None => Ok(Value::Int(-1)),
    }
}

pub fn case_method(text: &str, name: &str) -> Result<Value> {
    budget::spend(text.len() / 8)?;
    let ascii_only = || -> Result<()> {
        if text.is_ascii() {
            return Ok(());
        }
        unsupported(format!("the method '{name}' of a str that is not plain ASCII"))
    };
    let each = |test: fn(char) -> bool| Ok(Value::Bool(!text.is_empty() && text.chars().all(test)));
    match name {
        "lower" => Ok(Value::str(text.to_lowercase())),
        "upper" => Ok(Value::str(text.to_uppercase())),
        "capitalize" => Ok(Value::str(strings::capitalize(text)?)),
        "isascii" => Ok(Value::Bool(text.is_ascii())),
        "isspace" => each(strings::is_space),
        "isupper" => Ok(Value::Bool(text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase))),
        "islower" => Ok(Value::Bool(text.chars().any(char::is_lowercase) && !text.chars().any(char::is_uppercase))),
        _ => {
            ascii_only()?;
            match name {
                "isalpha" => each(|c| c.is_ascii_alphabetic()),
                "isalnum" => each(|c| c.is_ascii_alphanumeric()),
                "isdigit" | "isdecimal" | "isnumeric" => each(|c| c.is_ascii_digit()),
                "casefold" => Ok(Value::str(text.to_ascii_lowercase())),
                "swapcase" => Ok(Value::str(text.chars().map(strings::swap_case).collect::<String>())),
                "title" => Ok(Value::str(strings::title(text))),
                _ => Ok(Value::Bool(strings::title(text) == text && text.chars().any(|c| c.is_ascii_alphabetic()))),
            }
        }
    }
}
