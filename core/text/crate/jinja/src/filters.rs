//! Jinja2's filters.

use std::cmp::Ordering;

use super::budget;
use super::call::{int_or, text_of, CallArgs};
use super::error::{runtime, unsupported, Result};
use super::exec::Interp;
use super::ops;
use super::scalar_filters::{number, text, tojson};
use super::tree::{BinOp, Name};
use super::value::{compare, equal, Value, View};

const SUPPORTED: &[&str] = &[
    "abs",
    "batch",
    "capitalize",
    "center",
    "count",
    "d",
    "default",
    "dictsort",
    "first",
    "float",
    "format",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "truncate",
    "unique",
    "upper",
    "wordcount",
];
const REFUSED: &[&str] = &[
    "attr",
    "e",
    "escape",
    "filesizeformat",
    "forceescape",
    "groupby",
    "pprint",
    "random",
    "striptags",
    "urlencode",
    "urlize",
    "wordwrap",
    "xmlattr",
];

/// Does Jinja2 (as transformers sets it up) know a filter of this name?
pub fn is_known(name: &str) -> bool {
    SUPPORTED.contains(&name) || REFUSED.contains(&name)
}

/// Stable sort in Python's order, by merging: the library's own sort panics where an order contradicts itself.
pub fn sort_by<T>(items: &mut Vec<T>, key: impl Fn(&T) -> &Value + Copy) -> Result<()> {
    if items.len() < 2 {
        return Ok(());
    }
    let mut right = items.split_off(items.len() / 2);
    sort_by(items, key)?;
    sort_by(&mut right, key)?;
    let mut left = std::mem::take(items).into_iter().peekable();
    let mut right = right.into_iter().peekable();
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match compare(key(b), key(a))? {
            None => return unsupported("sorting what has no order (NaN)"),
            Some(Ordering::Less) => items.extend(right.next()),
            Some(_) => items.extend(left.next()),
        }
    }
    items.extend(left);
    items.extend(right);
    Ok(())
}

fn ignore_case(value: Value) -> Value {
    match value {
        Value::Str(text) => Value::str(text.to_lowercase()),
        other => other,
    }
}

/// `a.b.0` of an item, by subscripts.
fn path(item: &Value, attribute: &Value, default: Option<&Value>) -> Result<Value> {
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
    let mut current = item.clone();
    for part in &parts {
        current = ops::item(&current, part)?;
        if let (true, Some(default)) = (current.is_undefined(), default) {
            current = default.clone();
        }
    }
    Ok(current)
}

pub fn flag(value: &Option<Value>) -> bool {
    value.as_ref().is_some_and(Value::truth)
}

pub fn or_none(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

impl Interp {
    pub fn filter(&mut self, name: &str, value: Value, args: CallArgs) -> Result<Value> {
        self.deeper(|s| s.apply(name, value, args)) // `map` comes back here
    }

    fn apply(&mut self, name: &str, value: Value, args: CallArgs) -> Result<Value> {
        if !SUPPORTED.contains(&name) {
            return if REFUSED.contains(&name) {
                unsupported(format!("the filter '{name}'"))
            } else {
                runtime(format!("no filter named '{name}'"))
            };
        }
        if matches!(value, Value::Markup(_))
            && !matches!(name, "safe" | "string" | "length" | "count" | "default" | "d" | "tojson")
        {
            return unsupported(format!("the filter '{name}' on what the 'safe' filter returns"));
        }
        let result = match name {
            "map" => self.map(&value, args)?,
            "select" | "reject" => self.select(&value, args, name == "select", false)?,
            "selectattr" | "rejectattr" => self.select(&value, args, name == "selectattr", true)?,
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
            _ => text(name, &value, &args)?,
        };
        result.checked()
    }

    fn map(&mut self, value: &Value, mut args: CallArgs) -> Result<Value> {
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
                budget::spend(budget::ITEM * args.positional.len())?;
                out.push(self.filter(&filter, item, args.clone())?);
            }
        }
        Ok(Value::generator(out))
    }

    fn select(&mut self, value: &Value, mut args: CallArgs, wanted: bool, by_attribute: bool) -> Result<Value> {
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
                Some(test) => self.test(test, &subject, args.clone())?,
                None => subject.truth(),
            };
            if holds == wanted {
                out.push(item);
            }
        }
        Ok(Value::generator(out))
    }
}

fn collection(name: &str, value: Value, args: &CallArgs) -> Result<Value> {
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
                ops::check_size(out.len())?;
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
                total = ops::binary(BinOp::Add, &total, &path(&item, &or_none(attribute.clone()), None)?)?;
            }
            Ok(total)
        }
        _ => chunks(name, &value, args),
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
        ops::hashable(&key)?;
        budget::spend(seen.len() / 8)?;
        if !seen.iter().any(|known| equal(known, &key)) {
            seen.push(key);
            out.push(item);
        }
    }
    Ok(Value::generator(out))
}
