// SPDX-License-Identifier: GPL-3.0-or-later
//! `object.name`, `object[key]` and `object[start:stop:step]`, as Jinja2 looks them up.

use super::methods;
use super::value::{hashable, Value, Why};
use crate::budget;
use crate::error::{runtime, unsupported, Result};
use crate::tree::Name;

fn no_attribute(object: &Value, name: &Name) -> Value {
    match object {
        Value::Dict(_) => Value::Undefined(Why::NoKey(name.clone())),
        other => Value::undefined(format!("'{} object' has no attribute '{name}'", other.type_name())),
    }
}

/// `object.name`: an attribute of the type first, then an item, then undefined.
pub fn attribute(object: &Value, name: &Name) -> Result<Value> {
    object.defined()?;
    if let Some(value) = methods::attribute(object, name)? {
        return Ok(value);
    }
    if let Value::Dict(dict) = object {
        if let Some(value) = dict.get_str(name) {
            return Ok(value.clone());
        }
    }
    Ok(no_attribute(object, name))
}

/// `object[key]`: an item first, then an attribute, then undefined.
pub fn item(object: &Value, key: &Value) -> Result<Value> {
    object.defined()?;
    let found = match (object, key) {
        (Value::Dict(dict), key) if hashable(key).is_ok() => dict.get(key).cloned(),
        (Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Range(..), key) => {
            key.as_int().and_then(|index| index_sequence(object, index))
        }
        (Value::Markup(_), Value::Int(_)) => return unsupported("subscripts of what the 'safe' filter returns"),
        _ => None,
    };
    if let Some(value) = found {
        return Ok(value);
    }
    let (Value::Str(name) | Value::Markup(name)) = key else {
        let key = key.repr().unwrap_or_default();
        return Ok(Value::undefined(format!("{} object has no element {key}", object.type_name())));
    };
    Ok(methods::attribute(object, name)?.unwrap_or_else(|| no_attribute(object, name)))
}

fn index_sequence(object: &Value, index: i128) -> Option<Value> {
    budget::charge(object.as_str().map_or(0, str::len) / 16);
    let len = object.length()? as i128;
    let at = usize::try_from(if index < 0 { index + len } else { index }).ok()?;
    match object {
        Value::Str(text) => text.chars().nth(at).map(|c| Value::str(c.to_string())),
        Value::List(seq) | Value::Tuple(seq) => seq.items.get(at).cloned(),
        Value::Range(start, _, step) => (at < len as usize).then(|| Value::Int(i128::from(start + at as i64 * step))),
        _ => None,
    }
}

/// `object[start:stop:step]`.
pub fn slice(object: &Value, bounds: [Value; 3]) -> Result<Value> {
    object.defined()?;
    match object {
        Value::Str(_) | Value::List(_) | Value::Tuple(_) => {}
        Value::Range(..) | Value::Markup(_) => return unsupported(format!("slices of a {}", object.type_name())),
        Value::Dict(_) => return runtime("unhashable type: 'slice'"),
        _ => return Ok(Value::undefined(format!("{} object can't be sliced", object.type_name()))),
    }
    let mut numbers = [None; 3];
    for (number, bound) in numbers.iter_mut().zip(&bounds) {
        *number = match bound {
            Value::None => None,
            other => match other.as_int() {
                Some(value) => Some(value),
                // Jinja2 turns Python's TypeError into an undefined value.
                None => return Ok(Value::undefined(format!("{} object can't be sliced by that", object.type_name()))),
            },
        };
    }
    let [start, stop, step] = numbers;
    let step = step.unwrap_or(1);
    if step == 0 {
        return runtime("slice step cannot be zero");
    }
    Ok(match object {
        Value::Str(text) => {
            budget::spend(text.len() / 2)?; // four bytes a character
            Value::str(picked(&text.chars().collect::<Vec<char>>(), start, stop, step).into_iter().collect::<String>())
        }
        Value::Tuple(seq) => Value::tuple(picked(&seq.items, start, stop, step)),
        Value::List(seq) => Value::list(picked(&seq.items, start, stop, step)),
        other => other.clone(),
    })
}

fn picked<T: Clone>(items: &[T], start: Option<i128>, stop: Option<i128>, step: i128) -> Vec<T> {
    let len = items.len() as i128;
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let clamp = |bound: i128| (if bound < 0 { bound.saturating_add(len) } else { bound }).clamp(low, high);
    let mut at = start.map_or(if step > 0 { low } else { high }, clamp);
    let end = stop.map_or(if step > 0 { high } else { low }, clamp);
    let mut picked = Vec::new();
    while (step > 0 && at < end) || (step < 0 && at > end) {
        picked.push(items[at as usize].clone());
        at = at.saturating_add(step);
    }
    picked
}

/// `a.b.0` of an object, by subscripts; `default` stands for what is undefined.
pub fn path(object: &Value, attribute: &Value, default: Option<&Value>) -> Result<Value> {
    let parts: Vec<Value> = match attribute {
        Value::None => Vec::new(),
        Value::Str(text) => text
            .split('.')
            .map(|part| match part.parse::<i128>() {
                Ok(index) if part.bytes().all(|b| b.is_ascii_digit()) => Value::Int(index),
                _ => Value::str(part),
            })
            .collect(),
        other => vec![other.clone()],
    };
    let mut current = object.clone();
    for part in &parts {
        current = item(&current, part)?;
        if let (true, Some(default)) = (current.is_undefined(), default) {
            current = default.clone();
        }
    }
    Ok(current)
}
