//! Evaluates expressions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::budget;
use super::call::{int_or, text_of, CallArgs};
use super::error::{runtime, unsupported, Error, Kind, Result};
use super::exec::{Interp, Scope};
use super::methods;
use super::ops;
use super::tree::*;
use super::value::{insert, Dict, Global, Seq, Value};

/// The sandbox of Jinja2 refuses longer ranges.
const MAX_RANGE: usize = 100_000;

impl Interp {
    pub fn eval(&mut self, expr: &Expr, scope: &Rc<Scope>) -> Result<Value> {
        self.deeper(|s| s.eval_inner(expr, scope))
    }

    fn eval_inner(&mut self, expr: &Expr, scope: &Rc<Scope>) -> Result<Value> {
        match expr {
            Expr::Const(constant) => Ok(match constant {
                Const::None => Value::None,
                Const::Bool(value) => Value::Bool(*value),
                Const::Int(value) => Value::Int(*value),
                Const::Float(value) => Value::Float(*value),
                Const::Str(text) => Value::Str(text.clone()),
            }),
            Expr::Name(name) => match scope.get(name) {
                Some(value) => Ok(value),
                None if matches!(&**name, "self" | "lipsum") => unsupported(format!("the name '{name}'")),
                None => Ok(Value::undefined(format!("'{name}' is undefined"))),
            },
            Expr::List(items) => Value::list(self.eval_all(items, scope)?).checked(),
            Expr::Tuple(items) => Value::tuple(self.eval_all(items, scope)?).checked(),
            Expr::Dict(items) => self.dict(items, scope),
            Expr::Neg(value) => ops::negate(&self.eval(value, scope)?),
            Expr::Pos(value) => ops::positive(&self.eval(value, scope)?),
            Expr::Not(value) => Ok(Value::Bool(!self.eval(value, scope)?.truth())),
            Expr::Binary(op, a, b) => {
                let a = self.eval(a, scope)?;
                let b = self.eval(b, scope)?;
                ops::binary(*op, &a, &b)
            }
            Expr::Concat(parts) => {
                let mut out = String::new();
                for part in parts {
                    out.push_str(&self.eval(part, scope)?.to_text()?);
                    ops::check_size(out.len())?;
                }
                Ok(Value::str(out))
            }
            Expr::Compare(first, rest) => self.compare(first, rest, scope),
            Expr::And(a, b) => {
                let a = self.eval(a, scope)?;
                if a.truth() {
                    self.eval(b, scope)
                } else {
                    Ok(a)
                }
            }
            Expr::Or(a, b) => {
                let a = self.eval(a, scope)?;
                if a.truth() {
                    Ok(a)
                } else {
                    self.eval(b, scope)
                }
            }
            Expr::Conditional { test, then, otherwise } => {
                if self.eval(test, scope)?.truth() {
                    self.eval(then, scope)
                } else if let Some(otherwise) = otherwise {
                    self.eval(otherwise, scope)
                } else {
                    Ok(Value::undefined("the inline if-expression evaluated to false and no else section was defined"))
                }
            }
            Expr::Attr(object, name) => ops::attribute(&self.eval(object, scope)?, name),
            Expr::Item(object, key) => {
                let object = self.eval(object, scope)?;
                let key = self.eval(key, scope)?;
                ops::item(&object, &key)
            }
            Expr::Slice(object, bounds) => {
                let object = self.eval(object, scope)?;
                let mut values = [Value::None, Value::None, Value::None];
                for (value, bound) in values.iter_mut().zip(bounds) {
                    if let Some(bound) = bound {
                        *value = self.eval(bound, scope)?;
                    }
                }
                ops::slice(&object, values)
            }
            Expr::Call(callee, args) => {
                let callee = self.eval(callee, scope)?;
                let args = self.args(args, scope)?;
                self.call(&callee, args)
            }
            Expr::Filter(value, filter) => {
                let value = self.eval(value, scope)?;
                let args = self.args(&filter.args, scope)?;
                self.filter(&filter.name, value, args)
            }
            Expr::Test(value, test) => {
                let value = self.eval(value, scope)?;
                let args = self.args(&test.args, scope)?;
                Ok(Value::Bool(self.test(&test.name, &value, args)?))
            }
        }
    }

    fn eval_all(&mut self, items: &[Expr], scope: &Rc<Scope>) -> Result<Vec<Value>> {
        items.iter().map(|item| self.eval(item, scope)).collect()
    }

    fn dict(&mut self, items: &[(Expr, Expr)], scope: &Rc<Scope>) -> Result<Value> {
        let mut entries = Vec::new();
        for (key, value) in items {
            let key = self.eval(key, scope)?;
            ops::hashable(&key)?;
            let value = self.eval(value, scope)?;
            insert(&mut entries, key, value);
        }
        Value::Dict(Dict::new(entries)).checked()
    }

    /// `a < b < c` is `a < b and b < c`.
    fn compare(&mut self, first: &Expr, rest: &[(CmpOp, Expr)], scope: &Rc<Scope>) -> Result<Value> {
        let mut left = self.eval(first, scope)?;
        for (op, right) in rest {
            let right = self.eval(right, scope)?;
            if !ops::relation(*op, &left, &right)? {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

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
                budget::spend(budget::ITEM + out.named.len() / 16)?;
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
                Ok(Value::str(self.deeper(|s| s.loop_text(node, &items, scope, state.depth0 + 1))?))
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
            budget::spend(budget::ITEM + attrs.len() / 16)?;
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
                ops::hashable(key)?;
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
    let range = Value::Range(start, stop, step);
    if range.length().is_some_and(|len| len > MAX_RANGE) {
        return runtime(format!("range too big: the sandbox allows {MAX_RANGE} items"));
    }
    Ok(range)
}
