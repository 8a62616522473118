// SPDX-License-Identifier: GPL-3.0-or-later
//! Jinja2's filters: by name to the one that does it, and those that apply filters and tests themselves.

mod collections;
mod numbers;
mod texts;

use collections::collection;
use numbers::number;
use texts::{text, tojson};

use super::predicates;
use crate::budget;
use crate::error::{runtime, unsupported, Result};
use crate::names;
use crate::tree::Name;
use crate::values::arguments::{flag, or_none, text_of, CallArgs};
use crate::values::lookup::path;
use crate::values::value::{Value, ITEM};

/// Applies the filter of this name.
pub fn apply(name: &str, value: Value, args: CallArgs) -> Result<Value> {
    budget::deeper(|| dispatch(name, value, args)) // `map` comes back here
}

fn dispatch(name: &str, value: Value, args: CallArgs) -> Result<Value> {
    if matches!(value, Value::Markup(_))
        && names::is_our_filter(name)
        && !matches!(name, "safe" | "string" | "length" | "count" | "default" | "d" | "tojson")
    {
        return unsupported(format!("the filter '{name}' on what the 'safe' filter returns"));
    }
    let result = match name {
        "map" => map(&value, args)?,
        "select" | "reject" => select(&value, args, name == "select", false)?,
        "selectattr" | "rejectattr" => select(&value, args, name == "selectattr", true)?,
        "join" | "list" | "first" | "last" | "reverse" | "batch" | "slice" | "unique" | "sort" | "min" | "max"
        | "sum" | "items" | "dictsort" => collection(name, value, &args)?,
        "abs" | "round" | "int" | "float" => number(name, &value, &args)?,
        "length" | "count" => {
            args.positional::<0>(name, 0)?;
            match value.length() {
                Some(len) => Value::Int(len as i128),
                None => return runtime(format!("object of type '{}' has no len()", value.type_name())),
            }
        }
        "default" | "d" => {
            let [default, boolean] = args.bind(name, ["default_value", "boolean"], 0)?;
            let replaced = value.is_undefined() || (flag(&boolean) && !value.truth());
            if replaced {
                default.unwrap_or_else(|| Value::str(""))
            } else {
                value
            }
        }
        "tojson" => tojson(&value, &args)?,
        _ if names::is_our_filter(name) => text(name, &value, &args)?,
        _ if names::is_filter(name) => return unsupported(format!("the filter '{name}'")),
        _ => return runtime(format!("no filter named '{name}'")),
    };
    result.checked()
}

fn map(value: &Value, mut args: CallArgs) -> Result<Value> {
    if !value.truth() {
        return Ok(Value::generator(Vec::new()));
    }
    let mut out = Vec::new();
    if args.positional.is_empty() && args.named.iter().any(|(name, _)| &**name == "attribute") {
        let [attribute, default] = args.bind("map", ["attribute", "default"], 1)?;
        let default = default.filter(|d| !matches!(d, Value::None));
        for item in value.iterate()? {
            out.push(path(&item, &or_none(attribute.clone()), default.as_ref())?);
        }
    } else {
        if args.positional.is_empty() {
            return runtime("map requires a filter argument");
        }
        let filter = args.positional.remove(0);
        let filter: Name = text_of(&filter, "the filter of map")?.into();
        for item in value.iterate()? {
            budget::spend(ITEM * args.positional.len())?;
            out.push(apply(&filter, item, args.clone())?);
        }
    }
    Ok(Value::generator(out))
}

fn select(value: &Value, mut args: CallArgs, wanted: bool, by_attribute: bool) -> Result<Value> {
    if !value.truth() {
        return Ok(Value::generator(Vec::new()));
    }
    let attribute = match by_attribute {
        true if args.positional.is_empty() => return runtime("missing parameter for attribute name"),
        true => args.positional.remove(0),
        false => Value::None,
    };
    let test: Option<Name> = match args.positional.is_empty() {
        true => None,
        false => Some(text_of(&args.positional.remove(0), "the test of a selection")?.into()),
    };
    let mut out = Vec::new();
    for item in value.iterate()? {
        let subject = path(&item, &attribute, None)?;
        let holds = match &test {
            Some(test) => predicates::holds(test, &subject, args.clone())?,
            None => subject.truth(),
        };
        if holds == wanted {
            out.push(item);
        }
    }
    Ok(Value::generator(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_filter_that_is_ours_by_name_is_at_hand() {
        for name in names::FILTERS {
            let refused = format!("the filter '{name}'");
            let result = apply(name, Value::str("a"), CallArgs::default());
            assert!(!result.is_err_and(|error| error.message == refused), "{name}");
        }
    }
}
