// SPDX-License-Identifier: GPL-3.0-or-later
//! Tokens → syntax tree: the statements of Jinja2's grammar.

use std::sync::Arc;

use super::lexer::{tokenize, Tok};
use super::parser::{Parser, SPECIAL_NAMES};
use crate::error::Result;
use crate::tree::*;

pub struct Parsed {
    pub body: Vec<Stmt>,
    pub has_generation: bool,
}

pub fn parse(source: &str) -> Result<Parsed> {
    let mut parser = Parser::new(tokenize(source)?);
    let body = parser.body(&[])?;
    if let Some(error) = parser.unknown.into_iter().next() {
        return Err(error);
    }
    Ok(Parsed { body, has_generation: parser.has_generation })
}

impl Parser {
    /// Statements up to one of `ends` (which stays the current token); the whole template if `ends` is empty.
    fn body(&mut self, ends: &[&str]) -> Result<Vec<Stmt>> {
        let mut out = Vec::new();
        loop {
            let line = self.line();
            self.operators = 0;
            match self.peek().clone() {
                Tok::Data(text) => {
                    self.next();
                    out.push(Stmt { node: Node::Text(text), line });
                }
                Tok::VarBegin => {
                    self.next();
                    let value = self.tuple(true, &[], false)?;
                    self.expect(Tok::VarEnd)?;
                    out.push(Stmt { node: Node::Print(value), line });
                }
                Tok::BlockBegin => {
                    self.next();
                    if matches!(self.peek(), Tok::Name(name) if ends.contains(&&**name)) {
                        return Ok(out);
                    }
                    let nodes = self.deeper(Self::statement)?;
                    self.expect(Tok::BlockEnd)?;
                    out.extend(nodes.into_iter().map(|node| Stmt { node, line }));
                }
                Tok::Eof if ends.is_empty() => return Ok(out),
                _ => return self.fail(format!("the template ends before {}", ends.join(" or "))),
            }
        }
    }

    /// The rest of an opening tag, then statements up to one of `ends`, whose word is taken.
    fn block(&mut self, ends: &[&str]) -> Result<(Vec<Stmt>, Name)> {
        self.skip_op(":");
        self.expect(Tok::BlockEnd)?;
        let body = self.body(ends)?;
        Ok((body, self.name()?))
    }

    fn statement(&mut self) -> Result<Vec<Node>> {
        let tag = self.name()?;
        let node = match &*tag {
            "set" => self.set()?,
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "with" => self.with()?,
            "macro" => self.macro_statement()?,
            "call" => self.call_block()?,
            "filter" => {
                let filters = self.filters(true)?;
                Node::FilterBlock { filters, body: self.block(&["endfilter"])?.0 }
            }
            "generation" => {
                self.has_generation = true;
                Node::Generation(self.in_function(|p| Ok(p.block(&["endgeneration"])?.0))?)
            }
            "print" => return self.print(),
            "break" | "continue" if self.loops == 0 => return self.fail(format!("'{tag}' outside a loop")),
            "break" => Node::Break,
            "continue" => Node::Continue,
            "include" | "import" | "from" | "extends" | "block" | "autoescape" => {
                return self.refuse(format!("the tag '{tag}'"));
            }
            _ => return self.fail(format!("unknown tag '{tag}'")),
        };
        Ok(vec![node])
    }

    /// A body that runs as a function of its own: no loop of the caller can be left from it.
    fn in_function<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let loops = std::mem::take(&mut self.loops);
        let result = parse(self);
        self.loops = loops;
        result
    }

    fn print(&mut self) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        while *self.peek() != Tok::BlockEnd {
            if !nodes.is_empty() {
                self.expect_op(",")?;
            }
            nodes.push(Node::Print(self.expression(true)?));
        }
        Ok(nodes)
    }

    fn set(&mut self) -> Result<Node> {
        let target = self.target(&[], true)?;
        if self.skip_op("=") {
            return Ok(Node::Set(target, self.tuple(true, &[], false)?));
        }
        let filters = self.filters(false)?;
        Ok(Node::SetBlock { target, filters, body: self.block(&["endset"])?.0 })
    }

    fn if_statement(&mut self) -> Result<Node> {
        self.conditions += 1;
        let node = self.if_branches();
        self.conditions -= 1;
        node
    }

    fn if_branches(&mut self) -> Result<Node> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let test = self.tuple(false, &[], false)?;
            let (body, end) = self.block(&["elif", "else", "endif"])?;
            branches.push((test, body));
            match &*end {
                "elif" => continue,
                "else" => otherwise = self.block(&["endif"])?.0,
                _ => {}
            }
            return Ok(Node::If { branches, otherwise });
        }
    }

    fn for_statement(&mut self) -> Result<Node> {
        let target = self.target(&["in"], false)?;
        self.expect_word("in")?;
        let iter = self.tuple(false, &["recursive"], false)?;
        let filter = if self.skip_word("if") { Some(self.expression(true)?) } else { None };
        let recursive = self.skip_word("recursive");
        self.loops += 1;
        let body = self.block(&["endfor", "else"]);
        self.loops -= 1;
        let (body, end) = body?;
        let otherwise = if &*end == "else" { self.block(&["endfor"])?.0 } else { Vec::new() };
        Ok(Node::For(Arc::new(For { target, iter, filter, recursive, body, otherwise })))
    }

    fn with(&mut self) -> Result<Node> {
        let mut bindings = Vec::new();
        while *self.peek() != Tok::BlockEnd {
            if !bindings.is_empty() {
                self.expect_op(",")?;
            }
            let target = self.target(&[], false)?;
            self.expect_op("=")?;
            bindings.push((target, self.expression(true)?));
        }
        Ok(Node::With { bindings, body: self.block(&["endwith"])?.0 })
    }

    fn macro_statement(&mut self) -> Result<Node> {
        let name = self.name()?;
        Ok(Node::Macro(self.callable(Some(name), true, "endmacro")?.1))
    }

    fn call_block(&mut self) -> Result<Node> {
        let has_signature = self.is_op("(");
        let (call, body) = self.callable(None, has_signature, "endcall")?;
        match call {
            Some(call @ Expr::Call(..)) => Ok(Node::CallBlock { call, body }),
            _ => self.fail("expected a call"),
        }
    }

    /// Signature, for a call block the called expression, and the body.
    fn callable(&mut self, name: Option<Name>, signature: bool, end: &str) -> Result<(Option<Expr>, Arc<Callable>)> {
        let (params, defaults) = if signature { self.signature()? } else { (Vec::new(), Vec::new()) };
        let call = if name.is_none() { Some(self.expression(true)?) } else { None };
        self.names_seen.push([false; 3]);
        let body = self.in_function(|p| p.block(&[end]));
        let seen = self.names_seen.pop().unwrap_or_default();
        let takes = |at: usize| seen[at] && !params.iter().any(|p| &**p == SPECIAL_NAMES[at]);
        let (takes_varargs, takes_kwargs, takes_caller) = (takes(0), takes(1), takes(2));
        let body = body?.0;
        Ok((call, Arc::new(Callable { name, params, defaults, takes_varargs, takes_kwargs, takes_caller, body })))
    }

    fn signature(&mut self) -> Result<(Vec<Name>, Vec<Expr>)> {
        let (mut params, mut defaults) = (Vec::new(), Vec::new());
        self.expect_op("(")?;
        while !self.is_op(")") {
            if !params.is_empty() {
                self.expect_op(",")?;
            }
            let param = self.name()?;
            if SPECIAL_NAMES.contains(&&*param) {
                return self.refuse(format!("a parameter named '{param}'"));
            }
            params.push(param);
            if self.skip_op("=") {
                defaults.push(self.expression(true)?);
            } else if !defaults.is_empty() {
                return self.fail("a parameter without default follows one with default");
            }
        }
        self.expect_op(")")?;
        Ok((params, defaults))
    }

    fn target(&mut self, ends: &[&str], namespace: bool) -> Result<Target> {
        let mut targets = Vec::new();
        let mut is_tuple = false;
        loop {
            if self.tuple_ends(ends) || self.is_op("=") {
                break;
            }
            targets.push(self.target_primary(namespace)?);
            if !self.skip_op(",") {
                break;
            }
            is_tuple = true;
        }
        match (targets.pop(), is_tuple) {
            (Some(single), false) => Ok(single),
            (Some(last), true) => {
                targets.push(last);
                Ok(Target::Tuple(targets))
            }
            (None, _) => self.fail("expected a name to assign to"),
        }
    }

    fn target_primary(&mut self, namespace: bool) -> Result<Target> {
        if self.skip_op("(") {
            let inner = self.deeper(|p| p.target(&[], false))?;
            self.expect_op(")")?;
            return Ok(inner);
        }
        let name = self.name()?;
        if is_constant(&name) {
            return self.fail(format!("can't assign to '{name}'"));
        }
        if namespace && self.skip_op(".") {
            return Ok(Target::Attr(name, self.name()?));
        }
        Ok(Target::Name(name))
    }
}

fn is_constant(name: &str) -> bool {
    matches!(name, "true" | "True" | "false" | "False" | "none" | "None")
}
