// SPDX-License-Identifier: GPL-3.0-or-later
//! Evaluated arguments of a call: bound to parameter names as Python binds them, and read as what they must be.

use super::value::Value;
use crate::error::{runtime, too_long, Result};
use crate::tree::Name;

#[derive(Default, Clone)]
pub struct CallArgs {
    pub positional: Vec<Value>,
    pub named: Vec<(Name, Value)>,
}

impl CallArgs {
    pub fn new(positional: Vec<Value>) -> Self {
        Self { positional, named: Vec::new() }
    }

    /// One slot per parameter; the first `required` must be given.
    pub fn bind<const N: usize>(
        &self,
        function: &str,
        params: [&str; N],
        required: usize,
    ) -> Result<[Option<Value>; N]> {
        if self.positional.len() > N {
            return runtime(format!("{function}() takes at most {N} arguments, {} given", self.positional.len()));
        }
        let mut bound: [Option<Value>; N] = std::array::from_fn(|at| self.positional.get(at).cloned());
        for (name, value) in &self.named {
            match params.iter().position(|param| *param == &**name) {
                Some(at) if bound[at].is_none() => bound[at] = Some(value.clone()),
                Some(_) => return runtime(format!("{function}() got two values for '{name}'")),
                None => return runtime(format!("{function}() got an unexpected keyword argument '{name}'")),
            }
        }
        if let Some(missing) = (0..required).find(|at| bound[*at].is_none()) {
            return runtime(format!("{function}() lacks the argument '{}'", params[missing]));
        }
        Ok(bound)
    }

    /// As bind, for built-in methods that take no keywords.
    pub fn positional<const N: usize>(&self, function: &str, required: usize) -> Result<[Option<Value>; N]> {
        if let Some((name, _)) = self.named.first() {
            return runtime(format!("{function}() takes no keyword argument '{name}'"));
        }
        self.bind(function, ["argument"; N], required)
    }
}

pub fn int_or(value: &Option<Value>, default: i128, what: &str) -> Result<i128> {
    match value {
        None => Ok(default),
        Some(value) => match value.defined()?.as_int() {
            Some(int) => Ok(int),
            None if matches!(value, Value::Long(_)) => too_long(),
            None => runtime(format!("{what} must be an integer, not {}", value.type_name())),
        },
    }
}

pub fn text_of<'a>(value: &'a Value, what: &str) -> Result<&'a str> {
    match value.defined()?.as_str() {
        Some(text) => Ok(text),
        None => runtime(format!("{what} must be a string, not {}", value.type_name())),
    }
}

pub fn flag(value: &Option<Value>) -> bool {
    value.as_ref().is_some_and(Value::truth)
}

pub fn or_none(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

/// Clamped [start, stop) of Python's optional slice arguments.
pub fn slice_range(len: usize, start: &Option<Value>, stop: &Option<Value>) -> Result<(usize, usize)> {
    let clamp = |value: &Option<Value>, default: usize| -> Result<usize> {
        if matches!(value, None | Some(Value::None)) {
            return Ok(default);
        }
        let at = int_or(value, 0, "a position")?;
        Ok((if at < 0 { at.saturating_add(len as i128) } else { at }).clamp(0, len as i128) as usize)
    };
    let (start, stop) = (clamp(start, 0)?, clamp(stop, len)?);
    Ok((start, stop.max(start)))
}
