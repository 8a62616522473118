// SPDX-License-Identifier: GPL-3.0-or-later
//! JSON as Python's json module writes it, which is what models were trained to read.

use super::order::sort_by;
use super::print::float_repr;
use super::value::Value;
use crate::budget::{self, check_size};
use crate::error::{runtime, Result};

/// The arguments of json.dumps that transformers' `tojson` passes on.
pub struct Style {
    pub ascii: bool,
    pub indent: Option<String>,
    pub item_separator: String,
    pub key_separator: String,
    pub sort_keys: bool,
}

pub fn dump(value: &Value, style: &Style) -> Result<String> {
    let mut out = String::new();
    Writer { style, out: &mut out }.value(value, 0)?;
    Ok(out)
}

struct Writer<'a> {
    style: &'a Style,
    out: &'a mut String,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result<()> {
        budget::spend(1)?;
        match value {
            Value::None => self.out.push_str("null"),
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Value::Int(value) => self.out.push_str(&value.to_string()),
            Value::Long(digits) => self.out.push_str(digits),
            Value::Float(value) => self.out.push_str(&json_float(*value)),
            Value::Str(text) | Value::Markup(text) => self.string(text),
            Value::List(seq) | Value::Tuple(seq) => {
                self.container("[", "]", depth, &seq.items, |w, item| w.value(item, depth + 1))?;
            }
            Value::Dict(dict) => {
                let mut entries: Vec<_> = dict.entries.iter().collect();
                if self.style.sort_keys {
                    sort_by(&mut entries, |entry| &entry.0)?;
                }
                self.container("{", "}", depth, &entries, |w, (key, value)| {
                    let key = key_text(key)?;
                    w.string(&key);
                    w.out.push_str(&w.style.key_separator);
                    w.value(value, depth + 1)
                })?;
            }
            other => return runtime(format!("Object of type {} is not JSON serializable", other.type_name())),
        }
        check_size(self.out.len())
    }

    fn container<T>(
        &mut self,
        open: &str,
        close: &str,
        depth: usize,
        items: &[T],
        mut write: impl FnMut(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        self.out.push_str(open);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(&self.style.item_separator);
            }
            self.new_line(depth + 1)?;
            write(self, item)?;
        }
        if !items.is_empty() {
            self.new_line(depth)?;
        }
        self.out.push_str(close);
        Ok(())
    }

    fn new_line(&mut self, depth: usize) -> Result<()> {
        if let Some(indent) = &self.style.indent {
            check_size(self.out.len() + indent.len() * depth)?;
            self.out.push('\n');
            self.out.push_str(&indent.repeat(depth));
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '\x08' => self.out.push_str("\\b"),
                '\x0c' => self.out.push_str("\\f"),
                c if c < ' ' => self.out.push_str(&format!("\\u{:04x}", c as u32)),
                c if self.style.ascii && c > '~' => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        self.out.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }
}

fn json_float(value: f64) -> String {
    if value.is_nan() {
        "NaN".into()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.into()
    } else {
        float_repr(value)
    }
}

fn key_text(key: &Value) -> Result<String> {
    Ok(match key {
        Value::Str(text) | Value::Markup(text) => text.to_string(),
        Value::None => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(digits) => digits.to_string(),
        Value::Float(value) => json_float(*value),
        other => return runtime(format!("keys must be str, int, float, bool or None, not {}", other.type_name())),
    })
}
