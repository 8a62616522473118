// SPDX-License-Identifier: GPL-3.0-or-later
//! How Python prints values: str() and repr().

use super::value::Value;
use crate::budget::{self, check_size};
use crate::error::{unsupported, Result};
use crate::tree::Name;

impl Value {
    /// Python's str().
    pub fn to_text(&self) -> Result<Name> {
        Ok(match self {
            Value::Undefined(_) => "".into(),
            Value::Str(text) | Value::Markup(text) => text.clone(),
            _ => {
                let mut out = String::new();
                self.write_repr(&mut out)?;
                out.into()
            }
        })
    }

    /// Python's repr().
    pub fn repr(&self) -> Result<String> {
        let mut out = String::new();
        self.write_repr(&mut out)?;
        Ok(out)
    }

    fn write_repr(&self, out: &mut String) -> Result<()> {
        budget::spend(1)?;
        match self {
            Value::Undefined(_) => out.push_str("Undefined"),
            Value::None => out.push_str("None"),
            Value::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
            Value::Int(value) => out.push_str(&value.to_string()),
            Value::Long(digits) => out.push_str(digits),
            Value::Float(value) => out.push_str(&float_repr(*value)),
            Value::Str(text) => write_str_repr(text, out),
            Value::Markup(text) => {
                out.push_str("Markup(");
                write_str_repr(text, out);
                out.push(')');
            }
            Value::List(seq) => write_joined(out, "[", "]", &seq.items)?,
            Value::Tuple(seq) => write_joined(out, "(", if seq.items.len() == 1 { ",)" } else { ")" }, &seq.items)?,
            Value::Range(start, stop, 1) => out.push_str(&format!("range({start}, {stop})")),
            Value::Range(start, stop, step) => out.push_str(&format!("range({start}, {stop}, {step})")),
            Value::Dict(dict) => {
                out.push('{');
                for (at, (key, value)) in dict.entries.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    key.write_repr(out)?;
                    out.push_str(": ");
                    value.write_repr(out)?;
                }
                out.push('}');
            }
            Value::View(..) => {
                out.push_str(self.type_name());
                write_joined(out, "([", "])", &self.iterate()?)?;
            }
            _ => return unsupported(format!("printing a {} (Python prints its address)", self.type_name())),
        }
        check_size(out.len())
    }
}

fn write_joined(out: &mut String, open: &str, close: &str, items: &[Value]) -> Result<()> {
    out.push_str(open);
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        item.write_repr(out)?;
    }
    out.push_str(close);
    Ok(())
}

/// Is this what Python calls printable? (str's Debug escapes exactly the others, after the first character.)
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~') || (!c.is_ascii() && !['a', c].iter().collect::<String>().escape_debug().any(|c| c == '\\'))
}

fn write_str_repr(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if is_printable(c) => out.push(c),
            c => match c as u32 {
                code @ 0..=0xff => out.push_str(&format!("\\x{code:02x}")),
                code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04x}")),
                code => out.push_str(&format!("\\U{code:08x}")),
            },
        }
    }
    out.push(quote);
}

/// Shortest digits that read back the same, laid out as Python does.
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{value}");
    if plain.contains('.') {
        plain
    } else {
        plain + ".0"
    }
}
