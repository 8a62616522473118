// SPDX-License-Identifier: GPL-3.0-or-later
//! The `loop` variable: what a template can ask of the loop that it is in.

use super::arguments::CallArgs;
use super::value::{equal, LoopState, Value};
use crate::error::{runtime, unsupported, Result};
use crate::tree::Name;

pub fn attribute(object: &Value, name: &Name) -> Result<Option<Value>> {
    let Value::Loop(state) = object else { return Ok(None) };
    let (index0, len) = (state.index0.get(), state.items.items.len());
    let int = |value: usize| Some(Value::Int(value as i128));
    Ok(match &**name {
        "index" => int(index0 + 1),
        "index0" => int(index0),
        "length" => int(len),
        "revindex" => int(len - index0),
        "revindex0" => int(len - index0 - 1),
        "depth" => int(state.depth0 + 1),
        "depth0" => int(state.depth0),
        "first" => Some(Value::Bool(index0 == 0)),
        "last" => Some(Value::Bool(index0 + 1 == len)),
        "previtem" if index0 == 0 => Some(Value::undefined("there is no previous item")),
        "previtem" => Some(state.items.items[index0 - 1].clone()),
        "nextitem" => Some(
            state.items.items.get(index0 + 1).cloned().unwrap_or_else(|| Value::undefined("there is no next item")),
        ),
        "cycle" | "changed" => Some(Value::Method(std::rc::Rc::new((object.clone(), name.clone())))),
        _ => None,
    })
}

pub fn call(object: &Value, name: &str, args: &CallArgs) -> Result<Value> {
    let Value::Loop(state) = object else { return unsupported(name) };
    if let Some((named, _)) = args.named.first() {
        return runtime(format!("loop.{name}() takes no keyword argument '{named}'"));
    }
    match name {
        "cycle" if args.positional.is_empty() => runtime("no items for cycling given"),
        "cycle" => Ok(args.positional[state.index0.get() % args.positional.len()].clone()),
        _ => Ok(Value::Bool(changed(state, &args.positional))),
    }
}

fn changed(state: &LoopState, values: &[Value]) -> bool {
    let mut last = state.last_changed.borrow_mut();
    let same = last.as_ref().is_some_and(|l| l.len() == values.len() && l.iter().zip(values).all(|(a, b)| equal(a, b)));
    if !same {
        *last = Some(values.to_vec());
    }
    !same
}
