//! Evaluated arguments of a call, bound to parameter names as Python binds them.

use super::error::{runtime, Result};
use super::tree::Name;
use super::value::Value;

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
