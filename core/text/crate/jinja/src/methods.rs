//! Attributes and methods of Python's built-in types.

use super::budget;
use super::call::{int_or, text_of, CallArgs};
use super::error::{runtime, unsupported, Result};
use super::ops::{check_size, hashable};
use super::printf;
use super::strings;
use super::value::{equal, Dict, Value, View};

const STR: &str = " capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha \
    isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip \
    maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines \
    startswith strip swapcase title translate upper zfill ";
const LIST: &str = " copy count index ";
const LIST_MUTATING: &str = " append clear extend insert pop remove reverse sort ";
const TUPLE: &str = " count index ";
const DICT: &str = " copy fromkeys get items keys values ";
const DICT_MUTATING: &str = " clear pop popitem setdefault update ";
const INT: &str =
    " as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes ";
const FLOAT: &str = " as_integer_ratio conjugate from_number fromhex hex imag is_integer real ";
const VIEW: &str = " isdisjoint mapping ";

fn among(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| !known.is_empty() && known == name)
}

/// What Python's getattr finds on the value's type (not its items); None where it raises AttributeError.
pub fn attribute(object: &Value, name: &str) -> Result<Option<Value>> {
    if let Value::Namespace(attrs) = object {
        return Ok(attrs.borrow().iter().find(|(key, _)| &**key == name).map(|(_, value)| value.clone()));
    }
    if name.starts_with("__") && name.ends_with("__") && name.len() > 4 {
        return Ok(Some(Value::undefined(format!(
            "access to attribute '{name}' of '{}' object is unsafe.",
            object.type_name()
        ))));
    }
    let (readable, mutating) = match object {
        Value::Str(_) | Value::Markup(_) => (STR, ""),
        Value::List(_) => (LIST, LIST_MUTATING),
        Value::Tuple(_) => (TUPLE, ""),
        Value::Dict(_) => (DICT, DICT_MUTATING),
        Value::Int(_) | Value::Bool(_) => (INT, ""),
        Value::Float(_) => (FLOAT, ""),
        Value::View(..) => (VIEW, ""),
        Value::Range(..) => (" count index start step stop ", ""),
        Value::Cycler(cycler) if name == "current" => return Ok(cycler.0.items.get(cycler.1.get()).cloned()),
        Value::Cycler(_) => (" next reset ", ""),
        Value::Loop(_) => return super::loops::attribute(object, name),
        Value::Macro(m) if name == "name" => {
            return Ok(Some(m.callable.name.clone().map_or(Value::None, Value::Str)));
        }
        Value::Macro(_) | Value::Global(_) | Value::Method(_) => {
            return unsupported(format!("the attribute '{name}' of a {}", object.type_name()));
        }
        _ => ("", ""),
    };
    if among(mutating, name) {
        let message = format!("access to attribute '{name}' of '{}' object is unsafe.", object.type_name());
        return Ok(Some(Value::undefined(message)));
    }
    if !among(readable, name) {
        return Ok(None);
    }
    Ok(Some(Value::Method(std::rc::Rc::new((object.clone(), name.into())))))
}

pub fn call(object: &Value, name: &str, args: &CallArgs) -> Result<Value> {
    match object {
        Value::Str(text) => str_method(text, name, args),
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
        Value::Loop(_) => super::loops::call(object, name, args),
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
    let (start, stop) = strings::range(items.len(), &start, &stop)?;
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

fn optional_text(value: &Option<Value>, what: &str) -> Result<Option<String>> {
    match value {
        None | Some(Value::None) => Ok(None),
        Some(value) => Ok(Some(text_of(value, what)?.to_string())),
    }
}

fn str_method(text: &str, name: &str, args: &CallArgs) -> Result<Value> {
    let string = |out: String| Ok(Value::str(out));
    budget::spend(text.len() / 8)?;
    match name {
        "strip" | "lstrip" | "rstrip" => {
            let [chars] = args.positional(name, 0)?;
            let chars = optional_text(&chars, "the characters to strip")?;
            Ok(Value::str(strings::strip(text, chars.as_deref(), name != "rstrip", name != "lstrip")))
        }
        "split" | "rsplit" => {
            let [sep, count] = args.bind(name, ["sep", "maxsplit"], 0)?;
            let sep = optional_text(&sep, "the separator")?;
            let parts = strings::split(text, sep.as_deref(), int_or(&count, -1, "maxsplit")?, name == "rsplit")?;
            Ok(Value::list(parts.into_iter().map(Value::str).collect()))
        }
        "splitlines" => {
            let [keep] = args.bind(name, ["keepends"], 0)?;
            let keep = keep.is_some_and(|k| k.truth());
            Ok(Value::list(strings::lines(text, keep).into_iter().map(Value::str).collect()))
        }
        "partition" | "rpartition" => {
            let [sep] = args.positional(name, 1)?;
            let sep = sep.unwrap_or(Value::None);
            let sep = text_of(&sep, "the separator")?;
            if sep.is_empty() {
                return runtime("empty separator");
            }
            let split = if name == "partition" { text.split_once(sep) } else { text.rsplit_once(sep) };
            let parts = match split {
                Some((before, after)) => [before, sep, after],
                None if name == "partition" => [text, "", ""],
                None => ["", "", text],
            };
            Ok(Value::tuple(parts.into_iter().map(Value::str).collect()))
        }
        "startswith" | "endswith" => affix(text, name, args),
        "removeprefix" | "removesuffix" => {
            let [part] = args.positional(name, 1)?;
            let part = part.unwrap_or(Value::None);
            let part = text_of(&part, "the part to remove")?;
            let rest = if name == "removeprefix" { text.strip_prefix(part) } else { text.strip_suffix(part) };
            Ok(Value::str(rest.unwrap_or(text)))
        }
        "replace" => {
            let [old, new, count] = args.bind(name, ["", "", "count"], 2)?;
            let (old, new) = (old.unwrap_or(Value::None), new.unwrap_or(Value::None));
            let (old, new) = (text_of(&old, "the text to replace")?, text_of(&new, "the replacement")?);
            string(strings::replace(text, old, new, int_or(&count, -1, "count")?)?)
        }
        "find" | "rfind" | "index" | "rindex" | "count" => search(text, name, args),
        "join" => {
            let [items] = args.positional(name, 1)?;
            let mut out = String::new();
            for (at, item) in items.unwrap_or(Value::None).defined()?.iterate()?.iter().enumerate() {
                out.push_str(if at > 0 { text } else { "" });
                out.push_str(text_of(item, "an item to join")?);
                check_size(out.len())?;
            }
            string(out)
        }
        "lower" | "upper" | "title" | "capitalize" | "isspace" | "isalpha" | "isdigit" | "isalnum" | "isdecimal"
        | "isnumeric" | "islower" | "isupper" | "istitle" | "isascii" | "swapcase" | "casefold" => {
            args.positional::<0>(name, 0)?;
            strings::case_method(text, name)
        }
        "center" | "ljust" | "rjust" | "zfill" => {
            let [width, fill] = args.positional(name, 1)?;
            let fill = fill.map_or(Ok(" ".to_string()), |f| text_of(&f, "the fill character").map(str::to_string))?;
            string(strings::pad(text, name, int_or(&width, 0, "the width")?, &fill)?)
        }
        "format" => string(printf::brace_format(text, args)?),
        _ => unsupported(format!("the method '{name}' of a str")),
    }
}

fn affix(text: &str, name: &str, args: &CallArgs) -> Result<Value> {
    let [part, start, stop] = args.positional(name, 1)?;
    let part = part.unwrap_or(Value::None);
    let len = text.chars().count();
    if start.as_ref().is_some_and(|s| int_or(&Some(s.clone()), 0, "start").is_ok_and(|s| s > len as i128)) {
        return Ok(Value::Bool(false));
    }
    let (start, stop) = strings::range(len, &start, &stop)?;
    let part_of: String = text.chars().take(stop).skip(start).collect();
    let parts = match part.defined()? {
        Value::Tuple(seq) => seq.items.clone(),
        other => vec![other.clone()],
    };
    for part in &parts {
        let part = text_of(part, "the argument of startswith or endswith")?;
        if if name == "startswith" { part_of.starts_with(part) } else { part_of.ends_with(part) } {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn search(text: &str, name: &str, args: &CallArgs) -> Result<Value> {
    let [part, start, stop] = args.positional(name, 1)?;
    let part = part.unwrap_or(Value::None);
    let part = text_of(&part, "the text to find")?;
    let (start, stop) = strings::range(text.chars().count(), &start, &stop)?;
    let window: String = text.chars().take(stop).skip(start).collect();
    if name == "count" {
        let count = if part.is_empty() { window.chars().count() + 1 } else { window.matches(part).count() };
        return Ok(Value::Int(count as i128));
    }
    let found = if name.starts_with('r') { window.rfind(part) } else { window.find(part) };
    match found {
        Some(at) => Ok(Value::Int((start + window[..at].chars().count()) as i128)),
        None if name.ends_with("index") => runtime("substring not found"),
        None => Ok(Value::Int(-1)),
    }
}
