// SPDX-License-Identifier: GPL-3.0-or-later
//! Texts with places to be filled: `'%s' % value` and `'{}'.format(value)`.

use super::arguments::CallArgs;
use super::value::Value;
use crate::budget::check_size;
use crate::error::{runtime, too_long, unsupported, Result};

#[derive(Default)]
struct Spec {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// Python's % on a string: `value` is a tuple of arguments, a mapping, or the one argument.
pub fn format(template: &str, value: &Value) -> Result<String> {
    let mut args = match value {
        Value::Tuple(seq) => seq.items.clone(),
        other => vec![other.clone()],
    }
    .into_iter();
    let mut out = String::new();
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut keyed = None;
        if chars.next_if_eq(&'(').is_some() {
            let key: String = chars.by_ref().take_while(|c| *c != ')').collect();
            let Value::Dict(dict) = value else { return runtime("format requires a mapping") };
            match dict.get_str(&key) {
                Some(value) => keyed = Some(value.clone()),
                None => return runtime(format!("the key '{key}' is missing")),
            }
        }
        let mut next_arg = || match keyed.clone().or_else(|| args.next()) {
            Some(value) => Ok(value),
            None => runtime("not enough arguments for format string"),
        };
        let mut spec = Spec::default();
        while let Some(flag) = chars.next_if(|c| "-0+ #".contains(*c)) {
            match flag {
                '-' => spec.left = true,
                '0' => spec.zero = true,
                '+' => spec.plus = true,
                ' ' => spec.space = true,
                _ => spec.alternate = true,
            }
        }
        let mut number = |chars: &mut std::iter::Peekable<std::str::Chars>| -> Result<usize> {
            if chars.next_if_eq(&'*').is_some() {
                return match next_arg()?.as_int().map(usize::try_from) {
                    Some(Ok(value)) => Ok(value),
                    _ => unsupported("a negative or non-integer * in a format"),
                };
            }
            let digits: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_digit)).collect();
            if digits.is_empty() {
                return Ok(0);
            }
            digits.parse().or_else(|_| runtime("width too big"))
        };
        spec.width = number(&mut chars)?;
        if chars.next_if_eq(&'.').is_some() {
            spec.precision = Some(number(&mut chars)?);
        }
        check_size(spec.width)?;
        if spec.precision.is_some_and(|p| p > 500) {
            return unsupported("a format precision above 500");
        }
        while chars.next_if(|c| "hlL".contains(*c)).is_some() {}
        match chars.next() {
            None => return runtime("incomplete format"),
            Some('%') => out.push('%'),
            Some(kind) => out.push_str(&one(kind, &next_arg()?, &spec)?),
        }
        check_size(out.len())?;
    }
    // What Python takes for a mapping may be left unused; a tuple, a string or a number may not.
    let ignorable = matches!(value, Value::Dict(_) | Value::List(_) | Value::Range(..) | Value::Undefined(_));
    if !ignorable && args.next().is_some() {
        return runtime("not all arguments converted during string formatting");
    }
    Ok(out)
}

fn one(kind: char, value: &Value, spec: &Spec) -> Result<String> {
    let truncated = |text: String| match spec.precision {
        Some(count) => text.chars().take(count).collect(),
        None => text,
    };
    if matches!(value, Value::Long(_)) && !matches!(kind, 's' | 'r') {
        return too_long();
    }
    match kind {
        's' => Ok(pad(truncated(value.to_text()?.to_string()), spec)),
        'r' => Ok(pad(truncated(value.repr()?), spec)),
        'd' | 'i' | 'u' => {
            let number = match value.defined()? {
                Value::Float(x) if x.is_finite() && x.abs() < 1e30 => x.trunc() as i128,
                other => match other.as_int() {
                    Some(value) => value,
                    None => {
                        return runtime(format!("%{kind} format: a real number is required, not {}", value.type_name()))
                    }
                },
            };
            Ok(signed(number < 0, digits(number.unsigned_abs().to_string(), spec), spec, true))
        }
        'x' | 'X' | 'o' => {
            let Some(number) = value.defined()?.as_int() else {
                return runtime(format!("%{kind} format: an integer is required, not {}", value.type_name()));
            };
            let size = number.unsigned_abs();
            let (prefix, text) = match kind {
                'x' => ("0x", format!("{size:x}")),
                'X' => ("0X", format!("{size:X}")),
                _ => ("0o", format!("{size:o}")),
            };
            if spec.alternate {
                return unsupported(format!("the format %#{kind} ({prefix}…)"));
            }
            Ok(signed(number < 0, digits(text, spec), spec, true))
        }
        'f' | 'F' | 'e' | 'E' => {
            let Some(number) = value.defined()?.as_f64() else {
                return runtime(format!("must be real number, not {}", value.type_name()));
            };
            if spec.alternate || !number.is_finite() {
                return unsupported("the # flag, infinities and NaN in a float format");
            }
            let precision = spec.precision.unwrap_or(6);
            let text = if kind.eq_ignore_ascii_case(&'f') {
                format!("{:.precision$}", number.abs())
            } else {
                exponent_form(&format!("{:.precision$e}", number.abs()), kind)
            };
            Ok(signed(number.is_sign_negative(), text, spec, true))
        }
        'c' => match value.defined()? {
            Value::Str(text) if text.chars().count() == 1 => Ok(pad(text.to_string(), spec)),
            Value::Int(code) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                Some(c) => Ok(pad(c.to_string(), spec)),
                None => runtime("%c arg not in range"),
            },
            _ => runtime("%c requires int or char"),
        },
        'a' | 'g' | 'G' => unsupported(format!("the format %{kind}")),
        _ => runtime(format!("unsupported format character '{kind}'")),
    }
}

/// Rust writes 1.5e7 where Python writes 1.5e+07.
fn exponent_form(text: &str, kind: char) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, size) = exponent.strip_prefix('-').map_or(('+', exponent), |size| ('-', size));
    format!("{mantissa}{kind}{sign}{size:0>2}")
}

fn digits(text: String, spec: &Spec) -> String {
    let missing = spec.precision.unwrap_or(0).saturating_sub(text.len());
    "0".repeat(missing) + &text
}

fn signed(negative: bool, text: String, spec: &Spec, number: bool) -> String {
    let sign = match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (.., true) => " ",
        _ => "",
    };
    if number && spec.zero && !spec.left {
        let missing = spec.width.saturating_sub(sign.len() + text.len());
        return format!("{sign}{}{text}", "0".repeat(missing));
    }
    pad(format!("{sign}{text}"), spec)
}

fn pad(text: String, spec: &Spec) -> String {
    let missing = " ".repeat(spec.width.saturating_sub(text.chars().count()));
    if spec.left {
        text + &missing
    } else {
        missing + &text
    }
}

/// str.format with plain replacement fields; format specifications and lookups inside the braces are refused.
pub fn brace_format(template: &str, args: &CallArgs) -> Result<String> {
    let mut out = String::new();
    let mut automatic = 0;
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if chars.next_if_eq(&'{').is_some() => out.push('{'),
            '}' if chars.next_if_eq(&'}').is_some() => out.push('}'),
            '}' => return runtime("single '}' encountered in format string"),
            '{' => {
                let field: String = chars.by_ref().take_while(|c| *c != '}').collect();
                if field.contains(['{', ':', '!', '.', '[']) {
                    return unsupported(format!("the field '{{{field}}}' of str.format"));
                }
                let value = if field.is_empty() {
                    automatic += 1;
                    args.positional.get(automatic - 1)
                } else if let Ok(index) = field.parse::<usize>() {
                    args.positional.get(index)
                } else {
                    args.named.iter().find(|(name, _)| **name == *field).map(|(_, value)| value)
                };
                let Some(value) = value else { return runtime(format!("no argument for the field '{{{field}}}'")) };
                out.push_str(&value.to_text()?);
            }
            c => out.push(c),
        }
        check_size(out.len())?;
    }
    Ok(out)
}
