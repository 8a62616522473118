// SPDX-License-Identifier: GPL-3.0-or-later
//! Operators with Python's meaning.

use std::cmp::Ordering;

use super::order::compare;
use super::printf;
use super::value::{equal, hashable, Value, View, ITEM};
use crate::budget::{self, check_size};
use crate::error::{runtime, too_long, unsupported, Result};
use crate::tree::{BinOp, CmpOp};

pub fn binary(op: BinOp, a: &Value, b: &Value) -> Result<Value> {
    a.defined()?;
    if op == BinOp::Mod {
        if let Value::Str(format) = a {
            return Ok(Value::str(printf::format(format, b)?));
        }
    }
    b.defined()?;
    if matches!((a, b), (Value::Markup(_), _) | (_, Value::Markup(_))) {
        return markup_operator(op, a, b);
    }
    match (op, a, b) {
        (BinOp::Add, Value::Str(x), Value::Str(y)) => {
            check_size(x.len() + y.len())?;
            Ok(Value::str([&**x, &**y].concat()))
        }
        (BinOp::Add, Value::List(x), Value::List(y)) => Ok(Value::list(joined(&x.items, &y.items)?)),
        (BinOp::Add, Value::Tuple(x), Value::Tuple(y)) => Ok(Value::tuple(joined(&x.items, &y.items)?)),
        (BinOp::Mul, Value::Str(_) | Value::List(_) | Value::Tuple(_), count)
        | (BinOp::Mul, count, Value::Str(_) | Value::List(_) | Value::Tuple(_))
            if count.as_int().is_some() =>
        {
            let sequence = if a.as_int().is_some() { b } else { a };
            repeat(sequence, count.as_int().unwrap_or(0))
        }
        _ => arithmetic(op, a, b),
    }
}

fn joined(a: &[Value], b: &[Value]) -> Result<Vec<Value>> {
    budget::spend(ITEM * (a.len() + b.len()))?;
    Ok([a, b].concat())
}

/// What the `safe` filter returns escapes the plain text that is added to it.
fn markup_operator(op: BinOp, a: &Value, b: &Value) -> Result<Value> {
    let escaped = |value: &Value| match value {
        Value::Markup(text) => Some(text.to_string()),
        Value::Str(text) => Some(escape(text)),
        _ => None,
    };
    match (op, escaped(a), escaped(b)) {
        (BinOp::Add, Some(a), Some(b)) => {
            check_size(a.len() + b.len())?;
            Ok(Value::Markup((a + &b).into()))
        }
        (BinOp::Add, ..) => {
            runtime(format!("unsupported operand types for +: '{}' and '{}'", a.type_name(), b.type_name()))
        }
        _ => unsupported(format!("the operator {op:?} on what the 'safe' filter returns")),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&#34;"),
            c => out.push(c),
        }
    }
    out
}

fn repeat(sequence: &Value, count: i128) -> Result<Value> {
    let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
    let size = match sequence {
        Value::Str(text) => text.len(),
        other => other.length().unwrap_or(0) * std::mem::size_of::<Value>(),
    };
    check_size(size.saturating_mul(count))?;
    budget::spend(size.saturating_mul(count) / 8)?;
    Ok(match sequence {
        Value::Str(text) => Value::str(text.repeat(count)),
        Value::List(seq) => Value::list(repeated(&seq.items, count)),
        Value::Tuple(seq) => Value::tuple(repeated(&seq.items, count)),
        other => other.clone(),
    })
}

fn repeated(items: &[Value], count: usize) -> Vec<Value> {
    std::iter::repeat_n(items, count).flatten().cloned().collect()
}

fn arithmetic(op: BinOp, a: &Value, b: &Value) -> Result<Value> {
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
        return int_arithmetic(op, x, y);
    }
    let (Some(x), Some(y)) = (a.as_f64(), b.as_f64()) else {
        if matches!((a, b), (Value::Long(_), _) | (_, Value::Long(_))) {
            return too_long();
        }
        if matches!((a, b), (Value::View(..), _) | (_, Value::View(..))) {
            return unsupported("set operators on dict views");
        }
        return runtime(format!("unsupported operand types for {op:?}: '{}' and '{}'", a.type_name(), b.type_name()));
    };
    if y == 0.0 && matches!(op, BinOp::Div | BinOp::FloorDiv | BinOp::Mod) {
        return runtime("division by zero");
    }
    Ok(Value::Float(match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => x / y,
        BinOp::Mod => float_mod(x, y),
        BinOp::FloorDiv => {
            let quotient = (x - float_mod(x, y)) / y;
            let floor = quotient.floor();
            if quotient - floor > 0.5 {
                floor + 1.0
            } else {
                floor
            }
        }
        BinOp::Pow if x < 0.0 && y.fract() != 0.0 => return unsupported("complex numbers"),
        BinOp::Pow if x == 0.0 && y < 0.0 => return runtime("zero can't be raised to a negative power"),
        BinOp::Pow => {
            let power = x.powf(y);
            if power.is_infinite() && x.is_finite() && y.is_finite() {
                return runtime("result too large");
            }
            power
        }
    }))
}

/// Python's float %: the sign of the divisor.
fn float_mod(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest == 0.0 {
        0f64.copysign(y)
    } else if (rest < 0.0) != (y < 0.0) {
        rest + y
    } else {
        rest
    }
}

fn int_arithmetic(op: BinOp, x: i128, y: i128) -> Result<Value> {
    if y == 0 && matches!(op, BinOp::Div | BinOp::FloorDiv | BinOp::Mod) {
        return runtime("division by zero");
    }
    let result = match op {
        BinOp::Add => x.checked_add(y),
        BinOp::Sub => x.checked_sub(y),
        BinOp::Mul => x.checked_mul(y),
        BinOp::FloorDiv => x.checked_div_euclid(y).map(|q| if y < 0 && x.rem_euclid(y) != 0 { q - 1 } else { q }),
        BinOp::Mod => x.checked_rem(y).map(|r| if r != 0 && (r < 0) != (y < 0) { r + y } else { r }),
        BinOp::Pow if y >= 0 => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)),
        BinOp::Div if x.unsigned_abs().max(y.unsigned_abs()) <= 1 << 53 => {
            return Ok(Value::Float(x as f64 / y as f64));
        }
        BinOp::Pow => return arithmetic(op, &Value::Float(x as f64), &Value::Float(y as f64)),
        BinOp::Div => None,
    };
    match result {
        Some(value) => Ok(Value::Int(value)),
        None => too_long(),
    }
}

pub fn negate(value: &Value) -> Result<Value> {
    match value.defined()? {
        Value::Long(_) => too_long(),
        Value::Float(x) => Ok(Value::Float(-x)),
        other => match other.as_int() {
            Some(x) => x.checked_neg().map_or_else(too_long, |x| Ok(Value::Int(x))),
            None => runtime(format!("bad operand type for unary -: '{}'", other.type_name())),
        },
    }
}

pub fn positive(value: &Value) -> Result<Value> {
    match value.defined()? {
        Value::Long(_) => too_long(),
        Value::Float(x) => Ok(Value::Float(*x)),
        other => match other.as_int() {
            Some(x) => Ok(Value::Int(x)),
            None => runtime(format!("bad operand type for unary +: '{}'", other.type_name())),
        },
    }
}

pub fn relation(op: CmpOp, a: &Value, b: &Value) -> Result<bool> {
    Ok(match op {
        CmpOp::Eq => equal(a, b),
        CmpOp::Ne => !equal(a, b),
        CmpOp::Lt => compare(a, b)? == Some(Ordering::Less),
        CmpOp::Le => matches!(compare(a, b)?, Some(Ordering::Less | Ordering::Equal)),
        CmpOp::Gt => compare(a, b)? == Some(Ordering::Greater),
        CmpOp::Ge => matches!(compare(a, b)?, Some(Ordering::Greater | Ordering::Equal)),
        CmpOp::In => contains(b, a)?,
        CmpOp::NotIn => !contains(b, a)?,
    })
}

pub fn contains(container: &Value, item: &Value) -> Result<bool> {
    match container {
        Value::Str(text) | Value::Markup(text) => match item {
            Value::Str(part) | Value::Markup(part) if part.len() > text.len() => Ok(false),
            Value::Str(part) | Value::Markup(part) => {
                budget::spend(text.len() / 8)?;
                Ok(text.contains(&**part))
            }
            other => runtime(format!("'in <string>' requires string as left operand, not {}", other.type_name())),
        },
        Value::Dict(dict) | Value::View(View::Keys, dict) => Ok(dict.get(hashable(item)?).is_some()),
        other => Ok(other.iterate()?.iter().any(|x| equal(x, item))),
    }
}
