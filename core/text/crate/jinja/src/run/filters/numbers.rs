// SPDX-License-Identifier: GPL-3.0-or-later
//! The filters that make a number.

use crate::budget;
use crate::error::{runtime, too_long, unsupported, Result};
use crate::tree::BinOp;
use crate::values::arguments::{int_or, text_of, CallArgs};
use crate::values::operators;
use crate::values::strings::is_space;
use crate::values::value::Value;

pub fn number(name: &str, value: &Value, args: &CallArgs) -> Result<Value> {
    if let Value::Long(_) = value.defined()? {
        return too_long();
    }
    match name {
        "abs" => match (value, value.as_int()) {
            (Value::Float(x), _) => Ok(Value::Float(x.abs())),
            (_, Some(x)) => x.checked_abs().map_or_else(too_long, |x| Ok(Value::Int(x))),
            _ => runtime(format!("bad operand type for abs(): '{}'", value.type_name())),
        },
        "int" => {
            let [default, base] = args.bind(name, ["default", "base"], 0)?;
            if int_or(&base, 10, "the base")? != 10 {
                return unsupported("the filter 'int' with a base");
            }
            let default = default.unwrap_or(Value::Int(0));
            if let Some(int) = value.as_int() {
                return Ok(Value::Int(int));
            }
            if let Some(int) = value.as_str().and_then(|text| whole(&python_number(text)?)) {
                return Ok(int);
            }
            match to_float(value) {
                Some(x) if x.is_finite() && x.abs() < 1e38 => Ok(Value::Int(x.trunc() as i128)),
                Some(x) if x.is_finite() => too_long(),
                _ => Ok(default),
            }
        }
        "float" => {
            let [default] = args.bind(name, ["default"], 0)?;
            Ok(to_float(value).map_or_else(|| default.unwrap_or(Value::Float(0.0)), Value::Float))
        }
        _ => round(value, args),
    }
}

/// The text that Python would parse as a number: trimmed, single underscores between digits dropped.
fn python_number(text: &str) -> Option<String> {
    budget::charge(text.len() / 4);
    let text = text.trim_matches(is_space);
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let joined = (0..bytes.len()).all(|at| bytes[at] != b'_' || (digit(at.checked_sub(1)) && digit(Some(at + 1))));
    joined.then(|| text.replace('_', ""))
}

/// Python reads whole numbers of up to 4300 digits.
fn whole(text: &str) -> Option<Value> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !(1..=4300).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let long = || Value::Long(format!("{sign}{}", digits.trim_start_matches('0')).into());
    Some(text.parse().map_or_else(|_| long(), Value::Int))
}

fn to_float(value: &Value) -> Option<f64> {
    match value {
        Value::Str(text) => python_number(text)?.parse().ok(),
        other => other.as_f64(),
    }
}

fn round(value: &Value, args: &CallArgs) -> Result<Value> {
    let [precision, method] = args.bind("round", ["precision", "method"], 0)?;
    let precision = int_or(&precision, 0, "the precision")?;
    let method = method.unwrap_or_else(|| Value::str("common"));
    let Some(x) = value.as_f64() else { return runtime(format!("'{}' can't be rounded", value.type_name())) };
    let Some(places) = usize::try_from(precision).ok().filter(|p| *p <= 300 && x.is_finite()) else {
        return unsupported("rounding to a negative or huge precision, of infinities or NaN");
    };
    match text_of(&method, "the method of round")? {
        "common" => match value.as_int() {
            Some(int) => Ok(Value::Int(int)),
            None => format!("{x:.places$}").parse().map(Value::Float).or_else(|_| runtime("can't be rounded")),
        },
        method @ ("ceil" | "floor") => {
            let scale = Value::Int(10i128.checked_pow(places as u32).unwrap_or(i128::MAX));
            let scaled = operators::binary(BinOp::Mul, value, &scale)?;
            let whole = scaled.as_int().unwrap_or_else(|| {
                let x = scaled.as_f64().unwrap_or(0.0);
                (if method == "ceil" { x.ceil() } else { x.floor() }) as i128
            });
            operators::binary(BinOp::Div, &Value::Int(whole), &scale)
        }
        _ => runtime("method must be common, ceil or floor"),
    }
}
