// SPDX-License-Identifier: GPL-3.0-or-later
//! Expressions: the value of each.

use std::rc::Rc;

use super::filters;
use super::machine::Interp;
use super::predicates;
use crate::budget::{self, check_size};
use crate::error::{unsupported, Result};
use crate::tree::*;
use crate::values::lookup;
use crate::values::operators;
use crate::values::value::{hashable, insert, Dict, Global, Scope, Value, Why};

/// A sum as far as it is reckoned. Texts stay the one that grows, as `'<' + role + '>' + content` would otherwise copy at
/// every + what is there already.
enum Sum {
    Text(String),
    Value(Value),
}

impl Sum {
    fn into_value(self) -> Value {
        match self {
            Sum::Text(text) => Value::str(text),
            Sum::Value(value) => value,
        }
    }

    fn plus(self, text: &str, value: impl FnOnce() -> Value) -> Result<Self> {
        let mut sum = match self {
            Sum::Text(sum) => sum,
            Sum::Value(Value::Str(first)) => first.to_string(),
            Sum::Value(other) => return Ok(Sum::Value(operators::binary(BinOp::Add, &other, &value())?)),
        };
        push(&mut sum, text)?;
        Ok(Sum::Text(sum))
    }
}

/// Writes behind what is there.
pub fn push(out: &mut String, text: &str) -> Result<()> {
    check_size(out.len() + text.len())?;
    budget::spend(text.len() / 8)?;
    out.push_str(text);
    Ok(())
}

impl Interp {
    pub fn eval(&mut self, expr: &Expr, scope: &Rc<Scope>) -> Result<Value> {
        budget::deeper(|| self.eval_inner(expr, scope))
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
                None => {
                    Ok(Global::named(name).map_or_else(|| Value::Undefined(Why::NoName(name.clone())), Value::Global))
                }
            },
            Expr::List(items) => Value::list(self.eval_all(items, scope)?).checked(),
            Expr::Tuple(items) => Value::tuple(self.eval_all(items, scope)?).checked(),
            Expr::Dict(items) => self.dict(items, scope),
            Expr::Neg(value) => operators::negate(&self.eval(value, scope)?),
            Expr::Pos(value) => operators::positive(&self.eval(value, scope)?),
            Expr::Not(value) => Ok(Value::Bool(!self.eval(value, scope)?.truth())),
            Expr::Binary(BinOp::Add, a, b) => Ok(self.sum(a, b, scope)?.into_value()),
            Expr::Binary(op, a, b) => {
                let a = self.eval(a, scope)?;
                let b = self.eval(b, scope)?;
                operators::binary(*op, &a, &b)
            }
            Expr::Concat(parts) => {
                let mut out = String::new();
                for part in parts {
                    out.push_str(&self.eval(part, scope)?.to_text()?);
                    check_size(out.len())?;
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
            Expr::Attr(object, name) => lookup::attribute(&self.eval(object, scope)?, name),
            Expr::Item(object, key) => {
                let object = self.eval(object, scope)?;
                let key = self.eval(key, scope)?;
                lookup::item(&object, &key)
            }
            Expr::Slice(object, bounds) => {
                let object = self.eval(object, scope)?;
                let mut values = [Value::None, Value::None, Value::None];
                for (value, bound) in values.iter_mut().zip(bounds) {
                    if let Some(bound) = bound {
                        *value = self.eval(bound, scope)?;
                    }
                }
                lookup::slice(&object, values)
            }
            Expr::Call(callee, args) => {
                if let Expr::Attr(object, name) = &**callee {
                    return self.call_attribute(object, name, args, scope);
                }
                let callee = self.eval(callee, scope)?;
                let args = self.args(args, scope)?;
                self.call(&callee, args)
            }
            Expr::Filter(value, filter) => {
                let value = self.eval(value, scope)?;
                let args = self.args(&filter.args, scope)?;
                filters::apply(&filter.name, value, args)
            }
            Expr::Test(value, test) => {
                let value = self.eval(value, scope)?;
                let args = self.args(&test.args, scope)?;
                Ok(Value::Bool(predicates::holds(&test.name, &value, args)?))
            }
        }
    }

    /// What is printed of an expression.
    pub fn text(&mut self, expr: &Expr, scope: &Rc<Scope>, out: &mut String) -> Result<()> {
        match expr {
            Expr::Binary(BinOp::Add, a, b) => match budget::deeper(|| self.sum(a, b, scope))? {
                Sum::Text(text) => push(out, &text),
                Sum::Value(value) => push(out, &value.to_text()?),
            },
            Expr::Const(Const::Str(text)) => push(out, text),
            _ => push(out, &self.eval(expr, scope)?.to_text()?),
        }
    }

    fn sum(&mut self, a: &Expr, b: &Expr, scope: &Rc<Scope>) -> Result<Sum> {
        let a = match a {
            Expr::Binary(BinOp::Add, first, second) => budget::deeper(|| self.sum(first, second, scope))?,
            Expr::Const(Const::Str(text)) => Sum::Text(text.to_string()),
            _ => Sum::Value(self.eval(a, scope)?),
        };
        if let Expr::Const(Const::Str(text)) = b {
            return a.plus(text, || Value::Str(text.clone()));
        }
        match self.eval(b, scope)? {
            Value::Str(text) => a.plus(&text, || Value::Str(text.clone())),
            b => Ok(Sum::Value(operators::binary(BinOp::Add, &a.into_value(), &b)?)),
        }
    }

    pub fn eval_all(&mut self, items: &[Expr], scope: &Rc<Scope>) -> Result<Vec<Value>> {
        items.iter().map(|item| self.eval(item, scope)).collect()
    }

    fn dict(&mut self, items: &[(Expr, Expr)], scope: &Rc<Scope>) -> Result<Value> {
        let mut entries = Vec::new();
        for (key, value) in items {
            let key = self.eval(key, scope)?;
            hashable(&key)?;
            let value = self.eval(value, scope)?;
            insert(&mut entries, key, value);
        }
        Value::Dict(Dict::new(entries)).checked()
    }

    /// `a < b < c` is `a < b and b < c`.
    fn compare(&mut self, first: &Expr, rest: &[(CmpOp, Expr)], scope: &Rc<Scope>) -> Result<Value> {
        let mut left = self.eval(first, scope)?;
        for (op, right) in rest {
            // Most compare a role with a text of the template, which need not be counted as used by one more.
            if let (CmpOp::Eq | CmpOp::Ne, Value::Str(text), Expr::Const(Const::Str(other)), 1) =
                (op, &left, right, rest.len())
            {
                budget::spend(1 + text.len().min(other.len()) / 64)?;
                return Ok(Value::Bool((text == other) == (*op == CmpOp::Eq)));
            }
            let right = self.eval(right, scope)?;
            if !operators::relation(*op, &left, &right)? {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }
}
