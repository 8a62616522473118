// SPDX-License-Identifier: GPL-3.0-or-later
//! Statements: what is written, assigned and looped over, and the spans of generation blocks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::expressions::push;
use super::filters;
use super::machine::Interp;
use crate::budget;
use crate::error::{runtime, unsupported, Error, Kind, Result};
use crate::tree::*;
use crate::values::value::{LoopState, Scope, Seq, Value};

#[derive(Clone, Copy, PartialEq)]
pub enum Flow {
    Normal,
    Break,
    Continue,
}

impl Interp {
    pub fn run(&mut self, body: &[Stmt], scope: &Rc<Scope>) -> Result<String> {
        let mut out = String::new();
        self.body(body, scope, &mut out)?;
        Ok(out)
    }

    fn body(&mut self, body: &[Stmt], scope: &Rc<Scope>, out: &mut String) -> Result<Flow> {
        for stmt in body {
            let flow = budget::deeper(|| self.statement(&stmt.node, scope, out)).map_err(|e| e.at(stmt.line))?;
            if flow != Flow::Normal {
                return Ok(flow);
            }
        }
        Ok(Flow::Normal)
    }

    /// Runs a body into a string of its own.
    pub fn capture(&mut self, body: &[Stmt], scope: &Rc<Scope>) -> Result<(String, Flow)> {
        let mut out = String::new();
        self.captures += 1;
        let flow = self.body(body, scope, &mut out);
        self.captures -= 1;
        Ok((out, flow?))
    }

    fn statement(&mut self, node: &Node, scope: &Rc<Scope>, out: &mut String) -> Result<Flow> {
        match node {
            Node::Text(text) => push(out, text)?,
            Node::Print(expr) => self.text(expr, scope, out)?,
            Node::Set(target, expr) => {
                let value = self.eval(expr, scope)?;
                assign(target, value, scope)?;
            }
            Node::SetBlock { target, filters, body } => {
                let (text, flow) = self.capture(body, &Scope::new(Some(scope.clone())))?;
                if flow != Flow::Normal {
                    return Ok(flow);
                }
                let value = self.filtered(Value::str(text), filters, scope)?;
                assign(target, value, scope)?;
            }
            Node::If { branches, otherwise } => {
                for (test, body) in branches {
                    if self.eval(test, scope)?.truth() {
                        return self.body(body, scope, out);
                    }
                }
                return self.body(otherwise, scope, out);
            }
            Node::For(node) => return self.for_statement(node, scope, out),
            Node::With { bindings, body } => {
                let inner = Scope::new(Some(scope.clone()));
                for (target, expr) in bindings {
                    let value = self.eval(expr, scope)?;
                    assign(target, value, &inner)?;
                }
                return self.body(body, &inner, out);
            }
            Node::Macro(callable) => {
                let value = self.closure(callable, scope);
                if let Some(name) = &callable.name {
                    scope.set(name, value);
                }
            }
            Node::CallBlock { call, body } => {
                let caller = self.closure(body, scope);
                let text = self.call_with_caller(call, caller, scope)?.to_text()?;
                push(out, &text)?;
            }
            Node::FilterBlock { filters, body } => {
                let (text, flow) = self.capture(body, &Scope::new(Some(scope.clone())))?;
                if flow != Flow::Normal {
                    return Ok(flow);
                }
                let text = self.filtered(Value::str(text), filters, scope)?.to_text()?;
                push(out, &text)?;
            }
            Node::Generation(body) => self.generation(body, scope, out)?,
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Normal)
    }

    fn generation(&mut self, body: &[Stmt], scope: &Rc<Scope>, out: &mut String) -> Result<()> {
        if self.captures > 0 {
            return unsupported("a generation block inside a macro, a call, set or filter block, or a recursive loop: its place in the text is unknown there");
        }
        if self.in_generation {
            return unsupported("a generation block inside another");
        }
        let start = out.len();
        self.in_generation = true;
        let flow = self.body(body, &Scope::new(Some(scope.clone())), out);
        self.in_generation = false;
        flow?;
        self.spans.push((start, out.len()));
        Ok(())
    }

    fn filtered(&mut self, mut value: Value, filters: &[Applied], scope: &Rc<Scope>) -> Result<Value> {
        for filter in filters {
            let args = self.args(&filter.args, scope)?;
            value = filters::apply(&filter.name, value, args)?;
        }
        Ok(value)
    }

    fn for_statement(&mut self, node: &Arc<For>, scope: &Rc<Scope>, out: &mut String) -> Result<Flow> {
        let iterable = self.eval(&node.iter, scope)?;
        if node.recursive {
            let text = self.loop_text(node, &iterable, scope, 0)?;
            push(out, &text)?;
            return Ok(Flow::Normal);
        }
        self.run_loop(node, &iterable, scope, 0, out)
    }

    /// A recursive loop's output: at first, or when the template calls `loop(items)`.
    pub fn loop_text(&mut self, node: &Arc<For>, iterable: &Value, scope: &Rc<Scope>, depth0: usize) -> Result<String> {
        let mut out = String::new();
        self.captures += 1;
        let flow = self.run_loop(node, iterable, scope, depth0, &mut out);
        self.captures -= 1;
        flow.map(|_| out)
    }

    fn run_loop(
        &mut self,
        node: &Arc<For>,
        iterable: &Value,
        scope: &Rc<Scope>,
        depth0: usize,
        out: &mut String,
    ) -> Result<Flow> {
        let mut items = iterable.iterate()?;
        if let Some(filter) = &node.filter {
            let mut kept = Vec::new();
            for item in items {
                let inner = Scope::new(Some(scope.clone()));
                assign(&node.target, item.clone(), &inner)?;
                if self.eval(filter, &inner)?.truth() {
                    kept.push(item);
                }
            }
            items = kept;
        }
        if node.recursive {
            self.keep(scope);
        }
        let state = Rc::new(LoopState {
            items: Seq::new(items),
            index0: Cell::new(0),
            depth0,
            last_changed: RefCell::new(None),
            recurse: node.recursive.then(|| (node.clone(), scope.clone())),
        });
        // As in Jinja2, an iteration that is left early does not count for the else branch.
        let mut completed = false;
        let loop_value = Value::Loop(state.clone()).checked()?;
        for (index0, item) in state.items.items.iter().enumerate() {
            state.index0.set(index0);
            let inner = Scope::new(Some(scope.clone()));
            inner.set(&self.loop_name, loop_value.clone());
            assign(&node.target, item.clone(), &inner)?;
            match self.body(&node.body, &inner, out)? {
                Flow::Normal => completed = true,
                Flow::Continue => {}
                Flow::Break => break,
            }
        }
        if !completed {
            return self.body(&node.otherwise, &Scope::new(Some(scope.clone())), out);
        }
        Ok(Flow::Normal)
    }
}

fn assign(target: &Target, value: Value, scope: &Rc<Scope>) -> Result<()> {
    match target {
        Target::Name(name) => scope.set(name, value),
        Target::Attr(name, attr) => {
            if attr.starts_with('_') {
                return runtime(format!(
                    "chat templates cannot store underscore-prefixed attributes on a namespace: '{attr}'"
                ));
            }
            let Some(Value::Namespace(attrs)) = scope.get(name) else {
                return runtime(format!("cannot assign attribute '{attr}' on '{name}', which is no namespace"));
            };
            let mut attrs = attrs.borrow_mut();
            match attrs.iter_mut().find(|(key, _)| key == attr) {
                Some(entry) => entry.1 = value,
                None => attrs.push((attr.clone(), value)),
            }
        }
        Target::Tuple(targets) => {
            let items = value.defined()?.iterate()?;
            if items.len() != targets.len() {
                return Err(Error::new(
                    Kind::Runtime,
                    format!("{} values to unpack into {} names", items.len(), targets.len()),
                ));
            }
            for (target, item) in targets.iter().zip(items) {
                assign(target, item, scope)?;
            }
        }
    }
    Ok(())
}
