// SPDX-License-Identifier: GPL-3.0-or-later
//! What Jinja2 calls tests (`value is name`).

use crate::error::{runtime, unsupported, Result};
use crate::names;
use crate::tree::{BinOp, CmpOp};
use crate::values::arguments::CallArgs;
use crate::values::operators;
use crate::values::string_methods::case_method;
use crate::values::value::{equal, Value};

/// Does the test of this name hold for the value?
pub fn holds(name: &str, value: &Value, args: CallArgs) -> Result<bool> {
    let relation = match name {
        "in" => Some(CmpOp::In),
        "eq" | "==" | "equalto" => Some(CmpOp::Eq),
        "ne" | "!=" => Some(CmpOp::Ne),
        "gt" | ">" | "greaterthan" => Some(CmpOp::Gt),
        "ge" | ">=" => Some(CmpOp::Ge),
        "lt" | "<" | "lessthan" => Some(CmpOp::Lt),
        "le" | "<=" => Some(CmpOp::Le),
        _ => None,
    };
    if let Some(op) = relation {
        let [other] = args.positional(name, 1)?;
        return operators::relation(op, value, &other.unwrap_or(Value::None));
    }
    match name {
        "divisibleby" => {
            let [divisor] = args.bind(name, ["num"], 1)?;
            remainder_is(value, &divisor.unwrap_or(Value::None), 0)
        }
        "sameas" => {
            let [other] = args.bind(name, ["other"], 1)?;
            same(value, &other.unwrap_or(Value::None))
        }
        _ => {
            args.positional::<0>(name, 0)?;
            plain(name, value)
        }
    }
}

fn plain(name: &str, value: &Value) -> Result<bool> {
    Ok(match name {
        "odd" => remainder_is(value, &Value::Int(2), 1)?,
        "even" => remainder_is(value, &Value::Int(2), 0)?,
        "defined" => !value.is_undefined(),
        "undefined" => value.is_undefined(),
        "none" => matches!(value, Value::None),
        "boolean" => matches!(value, Value::Bool(_)),
        "true" => matches!(value, Value::Bool(true)),
        "false" => matches!(value, Value::Bool(false)),
        "integer" => matches!(value, Value::Int(_) | Value::Long(_)),
        "float" => matches!(value, Value::Float(_)),
        "number" => value.as_f64().is_some() || matches!(value, Value::Long(_)),
        "string" => value.as_str().is_some(),
        "mapping" => matches!(value, Value::Dict(_)),
        "escaped" => matches!(value, Value::Markup(_)),
        "lower" | "upper" => {
            case_method(&value.to_text()?, if name == "lower" { "islower" } else { "isupper" })?.truth()
        }
        // Undefined has __getitem__, __iter__ and __call__, if only to raise.
        "sequence" => matches!(
            value,
            Value::Str(_)
                | Value::Markup(_)
                | Value::List(_)
                | Value::Tuple(_)
                | Value::Range(..)
                | Value::Dict(_)
                | Value::Undefined(_)
        ),
        "iterable" => value.length().is_some() || matches!(value, Value::Generator(_)),
        "callable" => matches!(
            value,
            Value::Method(_)
                | Value::Macro(_)
                | Value::Global(_)
                | Value::Loop(_)
                | Value::Joiner(_)
                | Value::Undefined(_)
        ),
        "filter" => value.as_str().is_some_and(names::is_filter),
        "test" => value.as_str().is_some_and(names::is_test),
        _ => return runtime(format!("no test named '{name}'")),
    })
}

fn remainder_is(value: &Value, divisor: &Value, wanted: i128) -> Result<bool> {
    Ok(equal(&operators::binary(BinOp::Mod, value, divisor)?, &Value::Int(wanted)))
}

fn same(a: &Value, b: &Value) -> Result<bool> {
    match (a, b) {
        (Value::None, Value::None) => Ok(true),
        (Value::Bool(x), Value::Bool(y)) => Ok(x == y),
        _ if std::mem::discriminant(a) != std::mem::discriminant(b) => Ok(false),
        _ => unsupported(format!("the test 'sameas' on a {} (it asks for one object in memory)", a.type_name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_that_is_known_by_name_is_at_hand() {
        for name in names::TESTS {
            let result = holds(name, &Value::Int(1), CallArgs::default());
            assert!(!result.is_err_and(|error| error.message.starts_with("no test named")), "{name}");
        }
    }
}
