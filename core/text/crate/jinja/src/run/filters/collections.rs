// SPDX-License-Identifier: GPL-3.0-or-later
//! The filters that take a sequence or a mapping.

use std::cmp::Ordering;

use crate::budget::{self, check_size};
use crate::error::{runtime, unsupported, Result};
use crate::tree::BinOp;
use crate::values::arguments::{flag, int_or, or_none, text_of, CallArgs};
use crate::values::lookup::path;
use crate::values::operators;
use crate::values::order::{compare, sort_by};
use crate::values::value::{equal, hashable, Value, View};

pub fn collection(name: &str, value: Value, args: &CallArgs) -> Result<Value> {
    match name {
        "list" => {
            args.positional::<0>(name, 0)?;
            Ok(Value::list(value.iterate()?))
        }
        "first" => {
            let first = match &value {
                Value::Generator(generator) => generator.items.borrow_mut().pop_front(),
                other => other.iterate()?.into_iter().next(),
            };
            Ok(first.unwrap_or_else(|| Value::undefined("No first item, sequence was empty.")))
        }
        "last" if matches!(value, Value::Generator(_)) => runtime("'generator' object is not reversible"),
        "last" => Ok(value.iterate()?.pop().unwrap_or_else(|| Value::undefined("No last item, sequence was empty."))),
        "reverse" => match &value {
            Value::Str(text) => Ok(Value::str(text.chars().rev().collect::<String>())),
            other => {
                let mut items = other.iterate()?;
                items.reverse();
                Ok(if matches!(other, Value::Generator(_)) { Value::list(items) } else { Value::generator(items) })
            }
        },
        "join" => {
            let [separator, attribute] = args.bind(name, ["d", "attribute"], 0)?;
            let separator = separator.map_or(Ok("".into()), |s| s.to_text())?;
            let mut out = String::new();
            for (at, item) in value.iterate()?.iter().enumerate() {
                out.push_str(if at > 0 { &separator } else { "" });
                out.push_str(&path(item, &or_none(attribute.clone()), None)?.to_text()?);
                check_size(out.len())?;
            }
            Ok(Value::str(out))
        }
        "items" => match value {
            Value::Undefined(_) => Ok(Value::generator(Vec::new())),
            Value::Dict(dict) => Ok(Value::generator(Value::View(View::Items, dict).iterate()?)),
            _ => runtime("can only get item pairs from a mapping"),
        },
        "dictsort" => dictsort(&value, args),
        "sort" => sort(&value, args),
        "min" | "max" => extreme(name, &value, args),
        "unique" => unique(&value, args),
        "sum" => {
            let [attribute, start] = args.bind(name, ["attribute", "start"], 0)?;
            let mut total = start.unwrap_or(Value::Int(0));
            if total.as_str().is_some() {
                return runtime("sum() can't sum strings");
            }
            for item in value.iterate()? {
                total = operators::binary(BinOp::Add, &total, &path(&item, &or_none(attribute.clone()), None)?)?;
            }
            Ok(total)
        }
        _ => chunks(name, &value, args),
    }
}

fn ignore_case(value: Value) -> Value {
    match value {
        Value::Str(text) => Value::str(text.to_lowercase()),
        other => other,
    }
}

fn chunks(name: &str, value: &Value, args: &CallArgs) -> Result<Value> {
    let param = if name == "batch" { "linecount" } else { "slices" };
    let [count, fill] = args.bind(name, [param, "fill_with"], 1)?;
    let count = usize::try_from(int_or(&count, 0, param)?).unwrap_or(0);
    let fill = fill.filter(|f| !matches!(f, Value::None));
    let items = value.iterate()?;
    if count == 0 || count > 1_000_000 {
        return unsupported(format!("the filter '{name}' with {count} parts"));
    }
    let mut out: Vec<Vec<Value>> = Vec::new();
    if name == "batch" {
        out.extend(items.chunks(count).map(<[Value]>::to_vec));
        if let (Some(fill), Some(last)) = (fill, out.last_mut()) {
            last.resize(count, fill);
        }
    } else {
        let (each, extra) = (items.len() / count, items.len() % count);
        let mut at = 0;
        for part in 0..count {
            let len = each + usize::from(part < extra);
            let mut slice = items[at..at + len].to_vec();
            at += len;
            slice.extend(fill.clone().filter(|_| part >= extra));
            out.push(slice);
        }
    }
    Ok(Value::generator(out.into_iter().map(Value::list).collect()))
}

fn dictsort(value: &Value, args: &CallArgs) -> Result<Value> {
    let [case_sensitive, by, reverse] = args.bind("dictsort", ["case_sensitive", "by", "reverse"], 0)?;
    let Value::Dict(dict) = value.defined()? else { return runtime("dictsort needs a mapping") };
    let by = by.unwrap_or_else(|| Value::str("key"));
    let by_key = match text_of(&by, "by")? {
        "key" => true,
        "value" => false,
        _ => return runtime("you can only sort by either \"key\" or \"value\""),
    };
    let keyed = dict.entries.iter().map(|(key, value)| {
        let sort_key = if by_key { key.clone() } else { value.clone() };
        let sort_key = if flag(&case_sensitive) { sort_key } else { ignore_case(sort_key) };
        (sort_key, Value::tuple(vec![key.clone(), value.clone()]))
    });
    sorted(keyed.collect(), flag(&reverse))
}

fn sort(value: &Value, args: &CallArgs) -> Result<Value> {
    let [reverse, case_sensitive, attribute] = args.bind("sort", ["reverse", "case_sensitive", "attribute"], 0)?;
    let attributes: Vec<Value> = match or_none(attribute) {
        Value::Str(names) => names.split(',').map(Value::str).collect(),
        other => vec![other],
    };
    let mut keyed = Vec::new();
    for item in value.iterate()? {
        let mut keys = Vec::new();
        for attribute in &attributes {
            let key = path(&item, attribute, None)?;
            keys.push(if flag(&case_sensitive) { key } else { ignore_case(key) });
        }
        keyed.push((Value::list(keys), item));
    }
    sorted(keyed, flag(&reverse))
}

fn sorted(mut keyed: Vec<(Value, Value)>, reverse: bool) -> Result<Value> {
    // Reversing around a stable sort keeps equal items in their order, as Python's reverse=True does.
    if reverse {
        keyed.reverse();
    }
    sort_by(&mut keyed, |(key, _)| key)?;
    if reverse {
        keyed.reverse();
    }
    Ok(Value::list(keyed.into_iter().map(|(_, item)| item).collect()))
}

fn extreme(name: &str, value: &Value, args: &CallArgs) -> Result<Value> {
    let [case_sensitive, attribute] = args.bind(name, ["case_sensitive", "attribute"], 0)?;
    let better = if name == "min" { Ordering::Less } else { Ordering::Greater };
    let mut best: Option<(Value, Value)> = None;
    for item in value.iterate()? {
        let key = path(&item, &or_none(attribute.clone()), None)?;
        let key = if flag(&case_sensitive) { key } else { ignore_case(key) };
        let replaces = match &best {
            Some((best_key, _)) => compare(&key, best_key)? == Some(better),
            None => true,
        };
        if replaces {
            best = Some((key, item));
        }
    }
    Ok(best.map_or_else(|| Value::undefined("No aggregated item, sequence was empty."), |(_, item)| item))
}

fn unique(value: &Value, args: &CallArgs) -> Result<Value> {
    let [case_sensitive, attribute] = args.bind("unique", ["case_sensitive", "attribute"], 0)?;
    let mut seen: Vec<Value> = Vec::new();
    let mut out = Vec::new();
    for item in value.iterate()? {
        let key = path(&item, &or_none(attribute.clone()), None)?;
        let key = if flag(&case_sensitive) { key } else { ignore_case(key) };
        hashable(&key)?;
        budget::spend(seen.len() / 8)?;
        if !seen.iter().any(|known| equal(known, &key)) {
            seen.push(key);
            out.push(item);
        }
    }
    Ok(Value::generator(out))
}
