// SPDX-License-Identifier: GPL-3.0-or-later
//! Attributes and methods of Python's built-in types.

use super::arguments::{slice_range, CallArgs};
use super::loop_variable;
use super::string_methods;
use super::value::{equal, hashable, Dict, Value, View};
use crate::error::{runtime, unsupported, Result};
use crate::tree::Name;

/// Whether `object.name` is a method that a template may call, and can be called by `call` without making a value of it.
/// The names stand in the code, as that compares them as numbers.
pub fn has(object: &Value, name: &str) -> bool {
    match object {
        Value::Str(_) | Value::Markup(_) => matches!(
            name,
            "capitalize"
                | "casefold"
                | "center"
                | "count"
                | "encode"
                | "endswith"
                | "expandtabs"
                | "find"
                | "format"
                | "format_map"
                | "index"
                | "isalnum"
                | "isalpha"
                | "isascii"
                | "isdecimal"
                | "isdigit"
                | "isidentifier"
                | "islower"
                | "isnumeric"
                | "isprintable"
                | "isspace"
                | "istitle"
                | "isupper"
                | "join"
                | "ljust"
                | "lower"
                | "lstrip"
                | "maketrans"
                | "partition"
                | "removeprefix"
                | "removesuffix"
                | "replace"
                | "rfind"
                | "rindex"
                | "rjust"
                | "rpartition"
                | "rsplit"
                | "rstrip"
                | "split"
                | "splitlines"
                | "startswith"
                | "strip"
                | "swapcase"
                | "title"
                | "translate"
                | "upper"
                | "zfill"
        ),
        Value::List(_) => matches!(name, "copy" | "count" | "index"),
        Value::Tuple(_) => matches!(name, "count" | "index"),
        Value::Dict(_) => matches!(name, "copy" | "fromkeys" | "get" | "items" | "keys" | "values"),
        Value::Int(_) | Value::Long(_) | Value::Bool(_) => matches!(
            name,
            "as_integer_ratio"
                | "bit_count"
                | "bit_length"
                | "conjugate"
                | "denominator"
                | "from_bytes"
                | "imag"
                | "is_integer"
                | "numerator"
                | "real"
                | "to_bytes"
        ),
        Value::Float(_) => matches!(
            name,
            "as_integer_ratio" | "conjugate" | "from_number" | "fromhex" | "hex" | "imag" | "is_integer" | "real"
        ),
        Value::View(..) => matches!(name, "isdisjoint" | "mapping"),
        Value::Range(..) => matches!(name, "count" | "index" | "start" | "step" | "stop"),
        Value::Cycler(_) => matches!(name, "next" | "reset"),
        _ => false,
    }
}

/// A method that the sandbox refuses, as it changes the object.
fn is_mutating(object: &Value, name: &str) -> bool {
    match object {
        Value::List(_) => {
            matches!(name, "append" | "clear" | "extend" | "insert" | "pop" | "remove" | "reverse" | "sort")
        }
        Value::Dict(_) => matches!(name, "clear" | "pop" | "popitem" | "setdefault" | "update"),
        _ => false,
    }
}

/// What Python's getattr finds on the value's type (not its items); None where it raises AttributeError.
pub fn attribute(object: &Value, name: &Name) -> Result<Option<Value>> {
    if let Value::Namespace(attrs) = object {
        return Ok(attrs.borrow().iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()));
    }
    if name.starts_with("__") && name.ends_with("__") && name.len() > 4 {
        return Ok(Some(Value::undefined(format!(
            "access to attribute '{name}' of '{}' object is unsafe.",
            object.type_name()
        ))));
    }
    match object {
        Value::Cycler(cycler) if &**name == "current" => return Ok(cycler.0.items.get(cycler.1.get()).cloned()),
        Value::Loop(_) => return loop_variable::attribute(object, name),
        Value::Macro(m) if &**name == "name" => {
            return Ok(Some(m.callable.name.clone().map_or(Value::None, Value::Str)));
        }
        Value::Macro(_) | Value::Global(_) | Value::Method(_) => {
            return unsupported(format!("the attribute '{name}' of a {}", object.type_name()));
        }
        _ => {}
    }
    if is_mutating(object, name) {
        let message = format!("access to attribute '{name}' of '{}' object is unsafe.", object.type_name());
        return Ok(Some(Value::undefined(message)));
    }
    Ok(has(object, name).then(|| Value::Method(std::rc::Rc::new((object.clone(), name.clone())))))
}

pub fn call(object: &Value, name: &str, args: &CallArgs) -> Result<Value> {
    match object {
        Value::Str(text) => string_methods::call(text, name, args),
        Value::Dict(dict) => dict_method(dict, name, args),
        Value::List(seq) if name == "copy" => {
            args.positional::<0>(name, 0)?;
            Ok(Value::List(seq.clone()))
        }
        Value::List(_) | Value::Tuple(_) | Value::Range(..) if matches!(name, "count" | "index") => {
            sequence_method(object, name, args)
        }
        Value::Float(value) if name == "is_integer" => Ok(Value::Bool(value.fract() == 0.0)),
        Value::Cycler(cycler) => {
            args.positional::<0>(name, 0)?;
            let at = cycler.1.get();
            cycler.1.set(if name == "next" { (at + 1) % cycler.0.items.len() } else { 0 });
            Ok(if name == "next" { cycler.0.items[at].clone() } else { Value::None })
        }
        Value::Loop(_) => loop_variable::call(object, name, args),
        _ => unsupported(format!("the method '{name}' of a {}", object.type_name())),
    }
}

fn sequence_method(object: &Value, name: &str, args: &CallArgs) -> Result<Value> {
    let items = object.iterate()?;
    if name == "count" {
        let [wanted] = args.positional(name, 1)?;
        let wanted = wanted.unwrap_or(Value::None);
        return Ok(Value::Int(items.iter().filter(|item| equal(item, &wanted)).count() as i128));
    }
    let [wanted, start, stop] = args.positional(name, 1)?;
    let wanted = wanted.unwrap_or(Value::None);
    let (start, stop) = slice_range(items.len(), &start, &stop)?;
    match items.iter().take(stop).skip(start).position(|item| equal(item, &wanted)) {
        Some(at) => Ok(Value::Int((start + at) as i128)),
        None => runtime("the value is not in the list"),
    }
}

fn dict_method(dict: &std::rc::Rc<Dict>, name: &str, args: &CallArgs) -> Result<Value> {
    let view = |kind| {
        args.positional::<0>(name, 0)?;
        Ok(Value::View(kind, dict.clone()))
    };
    match name {
        "items" => view(View::Items),
        "keys" => view(View::Keys),
        "values" => view(View::Values),
        "copy" => {
            args.positional::<0>(name, 0)?;
            Ok(Value::Dict(dict.clone()))
        }
        "get" => {
            let [key, default] = args.positional(name, 1)?;
            let key = key.unwrap_or(Value::None);
            Ok(dict.get(hashable(&key)?).cloned().unwrap_or_else(|| default.unwrap_or(Value::None)))
        }
        _ => unsupported(format!("the method '{name}' of a dict")),
    }
}
