// SPDX-License-Identifier: GPL-3.0-or-later
//! Calls: arguments, macros, and the functions that every template has.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::machine::Interp;
use crate::budget;
use crate::error::{runtime, unsupported, Error, Kind, Result};
use crate::tree::{Args, Expr, Name};
use crate::values::arguments::{int_or, text_of, CallArgs};
use crate::values::lookup;
use crate::values::methods;
use crate::values::value::{hashable, insert, Dict, Global, MacroValue, Scope, Seq, Value, ITEM};

/// The sandbox of Jinja2 refuses longer ranges.
const MAX_RANGE: usize = 100_000;

impl Interp {
    pub fn args(&mut self, args: &Args, scope: &Rc<Scope>) -> Result<CallArgs> {
        let mut out = CallArgs::new(self.eval_all(&args.positional, scope)?);
        for (name, value) in &args.named {
            out.named.push((name.clone(), self.eval(value, scope)?));
        }
        if let Some(splat) = &args.splat {
            out.positional.extend(self.eval(splat, scope)?.iterate()?);
        }
        if let Some(splat) = &args.named_splat {
            let Value::Dict(dict) = self.eval(splat, scope)? else {
                return runtime("the argument after ** must be a mapping");
            };
            for (key, value) in &dict.entries {
                budget::spend(ITEM + out.named.len() / 16)?;
                let key: Name = text_of(key, "a keyword")?.into();
                if out.named.iter().any(|(name, _)| *name == key) {
                    return runtime(format!("got multiple values for keyword argument '{key}'"));
                }
                out.named.push((key, value.clone()));
            }
        }
        Ok(out)
    }

    pub fn call_with_caller(&mut self, call: &Expr, caller: Value, scope: &Rc<Scope>) -> Result<Value> {
        let Expr::Call(callee, args) = call else { return unsupported("a call block without a call") };
        let callee = self.eval(callee, scope)?;
        let mut args = self.args(args, scope)?;
        args.named.push(("caller".into(), caller));
        self.call(&callee, args)
    }

    /// `object.name(…)`
    pub fn call_attribute(&mut self, object: &Expr, name: &Name, args: &Args, scope: &Rc<Scope>) -> Result<Value> {
        let object = self.eval(object, scope)?;
        if methods::has(&object, name) {
            let args = self.args(args, scope)?;
            return methods::call(&object, name, &args)?.checked();
        }
        let callee = lookup::attribute(&object, name)?;
        let args = self.args(args, scope)?;
        self.call(&callee, args)
    }

    pub fn call(&mut self, callee: &Value, args: CallArgs) -> Result<Value> {
        match callee.defined()? {
            Value::Method(bound) => {
                if let Value::Loop(state) = &bound.0 {
                    self.loops.push(state.clone());
                }
                methods::call(&bound.0, &bound.1, &args)?.checked()
            }
            Value::Macro(value) => self.call_macro(value, args),
            Value::Global(global) => self.call_global(*global, args),
            Value::Loop(state) => {
                let [items] = args.bind("loop", ["iterable"], 1)?;
                let Some((node, scope)) = &state.recurse else {
                    return runtime("the loop must have the 'recursive' marker to be called recursively");
                };
                let items = items.unwrap_or(Value::None);
                Ok(Value::str(budget::deeper(|| self.loop_text(node, &items, scope, state.depth0 + 1))?))
            }
            Value::Joiner(joiner) => {
                args.positional::<0>("joiner", 0)?;
                Ok(if joiner.1.replace(true) { Value::Str(joiner.0.clone()) } else { Value::str("") })
            }
            other => runtime(format!("'{}' object is not callable", other.type_name())),
        }
    }

    fn call_global(&mut self, global: Global, args: CallArgs) -> Result<Value> {
        match global {
            Global::Range => range(&args),
            Global::Dict => {
                let CallArgs { positional, named } = args;
                let mut entries = mapping_items(&positional)?;
                for (name, value) in named {
                    insert(&mut entries, Value::Str(name), value);
                }
                Value::Dict(Dict::new(entries)).checked()
            }
            Global::Namespace => self.namespace(args),
            Global::Cycler if args.positional.is_empty() || !args.named.is_empty() => {
                runtime("cycler() takes at least one item and no keyword arguments")
            }
            Global::Cycler => Value::Cycler(Rc::new((Seq::new(args.positional), Cell::new(0)))).checked(),
            Global::Joiner => {
                let [sep] = args.bind("joiner", ["sep"], 0)?;
                let sep = sep.map_or(Ok(", ".into()), |s| text_of(&s, "the separator").map(Name::from))?;
                Ok(Value::Joiner(Rc::new((sep, Cell::new(false)))))
            }
            Global::RaiseException => {
                let [message] = args.bind("raise_exception", ["message"], 1)?;
                Err(Error::new(Kind::Raised, message.unwrap_or(Value::None).to_text()?.to_string()))
            }
            Global::StrftimeNow => {
                let [format] = args.bind("strftime_now", ["format"], 1)?;
                let format = format.unwrap_or(Value::None);
                let Some(clock) = &self.clock else { return unsupported("strftime_now without a frozen date") };
                Ok(Value::str(clock.strftime(text_of(&format, "the format of strftime_now")?)?))
            }
        }
    }

    fn namespace(&mut self, args: CallArgs) -> Result<Value> {
        let mut attrs: Vec<(Name, Value)> = Vec::new();
        for (key, value) in mapping_items(&args.positional)? {
            attrs.push((text_of(&key, "a namespace attribute")?.into(), value));
        }
        for (name, value) in args.named {
            budget::spend(ITEM + attrs.len() / 16)?;
            attrs.retain(|(key, _)| *key != name);
            attrs.push((name, value));
        }
        if let Some((name, _)) = attrs.iter().find(|(name, _)| name.starts_with('_')) {
            return runtime(format!(
                "chat templates cannot store underscore-prefixed attributes on a namespace: '{name}'"
            ));
        }
        let namespace = Rc::new(RefCell::new(attrs));
        self.namespaces.push(namespace.clone());
        Ok(Value::Namespace(namespace))
    }

    fn call_macro(&mut self, value: &MacroValue, mut args: CallArgs) -> Result<Value> {
        let callable = &value.callable;
        let scope = Scope::new(Some(value.scope.clone()));
        let name = callable.name.as_deref().unwrap_or("caller");
        let first_default = callable.params.len() - callable.defaults.len();
        for (at, param) in callable.params.iter().enumerate() {
            let named = args.named.iter().position(|(key, _)| key == param);
            let value = match (args.positional.get(at), named) {
                (Some(value), _) => value.clone(),
                (None, Some(found)) => args.named.remove(found).1,
                (None, None) if at >= first_default => self.eval(&callable.defaults[at - first_default], &scope)?,
                (None, None) => Value::undefined(format!("parameter '{param}' was not provided")),
            };
            scope.set(param, value);
        }
        if callable.takes_caller {
            let given = args.named.iter().position(|(key, _)| &**key == "caller");
            let caller =
                given.map_or_else(|| Value::undefined("No caller defined"), |found| args.named.remove(found).1);
            scope.set(&"caller".into(), caller);
        }
        if callable.takes_kwargs {
            let entries = args.named.drain(..).map(|(key, value)| (Value::Str(key), value)).collect();
            scope.set(&"kwargs".into(), Value::Dict(Dict::new(entries)).checked()?);
        } else if let Some((key, _)) = args.named.first() {
            return runtime(format!("macro '{name}' takes no keyword argument '{key}'"));
        }
        let extra = args.positional.get(callable.params.len()..).unwrap_or(&[]).to_vec();
        if callable.takes_varargs {
            scope.set(&"varargs".into(), Value::tuple(extra).checked()?);
        } else if !extra.is_empty() {
            return runtime(format!("macro '{name}' takes not more than {} argument(s)", callable.params.len()));
        }
        let (text, _) = budget::deeper(|| self.capture(&callable.body, &scope))?;
        Ok(Value::str(text))
    }
}

/// The one optional positional argument of dict() and namespace(): a mapping or pairs.
fn mapping_items(positional: &[Value]) -> Result<Vec<(Value, Value)>> {
    match positional {
        [] => Ok(Vec::new()),
        [Value::Dict(dict)] => Ok(dict.entries.clone()),
        [pairs] => {
            let mut entries = Vec::new();
            for pair in pairs.defined()?.iterate()? {
                let items = pair.iterate()?;
                let [key, value] = &items[..] else { return runtime("dict() needs pairs") };
                hashable(key)?;
                insert(&mut entries, key.clone(), value.clone());
            }
            Ok(entries)
        }
        _ => runtime("dict() takes at most one positional argument"),
    }
}

fn range(args: &CallArgs) -> Result<Value> {
    let bound: [Option<Value>; 3] = args.positional("range", 1)?;
    let first = int_or(&bound[0], 0, "an argument of range")?;
    let (start, stop) = match &bound[1] {
        None => (0, first),
        second => (first, int_or(second, 0, "an argument of range")?),
    };
    let step = int_or(&bound[2], 1, "an argument of range")?;
    if step == 0 {
        return runtime("range() arg 3 must not be zero");
    }
    if [start, stop, step].iter().any(|bound| bound.unsigned_abs() > 1 << 62) {
        return unsupported("a range beyond 62 bits");
    }
    let range = Value::Range(start as i64, stop as i64, step as i64);
    if range.length().is_some_and(|len| len > MAX_RANGE) {
        return runtime(format!("range too big: the sandbox allows {MAX_RANGE} items"));
    }
    Ok(range)
}
