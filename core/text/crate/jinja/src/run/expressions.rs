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
use crate::values::value::{hashable, insert, Dict, Scope, Value};

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
                None => Ok(Value::undefined(format!("'{name}' is undefined"))),
            },
            Expr::List(items) => Value::list(self.eval_all(items, scope)?).checked(),
            Expr::Tuple(items) => Value::tuple(self.eval_all(items, scope)?).checked(),
            Expr::Dict(items) => self.dict(items, scope),
            Expr::Neg(value) => operators::negate(&self.eval(value, scope)?),
            Expr::Pos(value) => operators::positive(&self.eval(value, scope)?),
            Expr::Not(value) => Ok(Value::Bool(!self.eval(value, scope)?.truth())),
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
            let right = self.eval(right, scope)?;
            if !operators::relation(*op, &left, &right)? {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }
}
