// SPDX-License-Identifier: GPL-3.0-or-later
//! The filters that make a text: of a text, or of any value that is to be written.

use crate::budget::{self, check_size};
use crate::error::{runtime, unsupported, Result};
use crate::values::arguments::{flag, int_or, or_none, text_of, CallArgs};
use crate::values::json_write;
use crate::values::printf;
use crate::values::strings::{self, is_space};
use crate::values::value::{Dict, Value};

pub fn text(name: &str, value: &Value, args: &CallArgs) -> Result<Value> {
    let text = value.to_text()?;
    budget::spend(text.len() / 8)?;
    let string = |out: String| Ok(Value::str(out));
    match name {
        "string" => Ok(value.as_str().map_or(Value::Str(text.clone()), |_| value.clone())),
        "safe" => Ok(Value::Markup(text)),
        "upper" => string(text.to_uppercase()),
        "lower" => string(text.to_lowercase()),
        "capitalize" => string(strings::capitalize(&text)?),
        "title" => string(title(&text)),
        "trim" => {
            let [chars] = args.bind(name, ["chars"], 0)?;
            let chars = match &chars {
                None | Some(Value::None) => None,
                Some(chars) => Some(text_of(chars, "the characters to trim")?),
            };
            Ok(Value::str(strings::strip(&text, chars, true, true)))
        }
        "replace" => {
            let [old, new, count] = args.bind(name, ["old", "new", "count"], 2)?;
            let count = count.filter(|c| !matches!(c, Value::None));
            let (old, new) = (or_none(old).to_text()?, or_none(new).to_text()?);
            string(strings::replace(&text, &old, &new, int_or(&count, -1, "count")?)?)
        }
        "center" => {
            let [width] = args.bind(name, ["width"], 0)?;
            string(strings::pad(&text, name, int_or(&width, 80, "the width")?, " ")?)
        }
        "wordcount" if !text.is_ascii() => unsupported("the filter 'wordcount' on text that is not plain ASCII"),
        "wordcount" => {
            let words = text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            Ok(Value::Int(words.count() as i128))
        }
        "format" => {
            if !args.named.is_empty() && !args.positional.is_empty() {
                return runtime("can't handle positional and keyword arguments at the same time");
            }
            let value = if args.named.is_empty() {
                Value::tuple(args.positional.clone())
            } else {
                let entries =
                    args.named.iter().map(|(name, value)| (Value::Str(name.clone()), value.clone())).collect();
                Value::Dict(Dict::new(entries))
            };
            string(printf::format(&text, &value)?)
        }
        "indent" => indent(text_of(value, "the text to indent")?, args),
        "truncate" => truncate(text_of(value, "the text to truncate")?, args),
        _ => unsupported(format!("the filter '{name}'")),
    }
}

fn title(text: &str) -> String {
    let is_break = |c: char| matches!(c, '-' | '(' | '{' | '[' | '<') || is_space(c);
    let mut out = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        if let Some(first) = word.chars().next() {
            out.extend(first.to_uppercase());
            out.push_str(&word[first.len_utf8()..].to_lowercase());
        }
        word.clear();
    };
    for c in text.chars() {
        if is_break(c) {
            flush(&mut word, &mut out);
            out.push(c);
        } else {
            word.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

fn indent(text: &str, args: &CallArgs) -> Result<Value> {
    let [width, first, blank] = args.bind("indent", ["width", "first", "blank"], 0)?;
    let indention = match &width {
        Some(Value::Str(text)) => text.to_string(),
        other => " ".repeat(usize::try_from(int_or(other, 4, "the width")?.clamp(0, 1 << 16)).unwrap_or(0)),
    };
    let terminated = format!("{text}\n");
    let mut out = String::new();
    for (at, line) in strings::lines(&terminated, false).into_iter().enumerate() {
        out.push_str(if at > 0 { "\n" } else { "" });
        let indented = if at == 0 { flag(&first) } else { flag(&blank) || !line.is_empty() };
        out.push_str(if indented { &indention } else { "" });
        out.push_str(line);
        check_size(out.len())?;
    }
    Ok(Value::str(out))
}

fn truncate(text: &str, args: &CallArgs) -> Result<Value> {
    let [length, killwords, end, leeway] = args.bind("truncate", ["length", "killwords", "end", "leeway"], 0)?;
    let length = int_or(&length, 255, "the length")?;
    let end = end.unwrap_or_else(|| Value::str("..."));
    let end = text_of(&end, "the end")?;
    let leeway = int_or(&leeway.filter(|l| !matches!(l, Value::None)), 5, "the leeway")?;
    let end_len = end.chars().count() as i128;
    if length < end_len || leeway < 0 {
        return runtime("truncate: the length is shorter than its end, or the leeway is negative");
    }
    if text.chars().count() as i128 <= length.saturating_add(leeway) {
        return Ok(Value::str(text));
    }
    let kept: String = text.chars().take((length - end_len) as usize).collect();
    let kept = if flag(&killwords) { &kept[..] } else { kept.rsplit_once(' ').map_or(&kept[..], |(before, _)| before) };
    Ok(Value::str(format!("{kept}{end}")))
}

/// json.dumps with the defaults of transformers: nothing escaped for HTML or ASCII.
pub fn tojson(value: &Value, args: &CallArgs) -> Result<Value> {
    let [ascii, indent, separators, sort_keys] =
        args.bind("tojson", ["ensure_ascii", "indent", "separators", "sort_keys"], 0)?;
    let indent = match indent {
        None | Some(Value::None) => None,
        Some(Value::Str(text)) => Some(text.to_string()),
        other => Some(" ".repeat(int_or(&other, 0, "indent")?.clamp(0, 1 << 10) as usize)),
    };
    let mut item_separator = if indent.is_some() { "," } else { ", " }.to_string();
    let mut key_separator = ": ".to_string();
    if let Some(pair) = separators.filter(|s| !matches!(s, Value::None)) {
        let items = pair.iterate()?;
        let [item, key] = &items[..] else { return runtime("separators must be a pair") };
        item_separator = text_of(item, "a separator")?.into();
        key_separator = text_of(key, "a separator")?.into();
    }
    let style =
        json_write::Style { ascii: flag(&ascii), indent, item_separator, key_separator, sort_keys: flag(&sort_keys) };
    Ok(Value::str(json_write::dump(value, &style)?))
}
