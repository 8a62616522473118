// SPDX-License-Identifier: GPL-3.0-or-later
//! Tokens → syntax tree: the expressions of the grammar, from the loosest operator to the tightest.

use super::lexer::{describe, Tok};
use super::parser::{Parser, SPECIAL_NAMES};
use crate::error::{Error, Kind, Result};
use crate::names;
use crate::tree::*;

/// Operators in a row: `a + b + c` nests to the left.
const MAX_CHAIN: usize = 400;
/// Operators of one tag: rows of them may nest in rows of others, in a tree too deep to be freed.
const MAX_OPERATORS: usize = 4000;

impl Parser {
    fn longer(&mut self, chain: &mut usize) -> Result<()> {
        *chain += 1;
        if *chain > MAX_CHAIN {
            return self.refuse(format!("nesting of more than {MAX_CHAIN} operators in a row"));
        }
        self.operators += usize::from(*chain > 2); // a short row adds little to its depth
        if self.operators > MAX_OPERATORS {
            return self.refuse(format!("a tag with more than {MAX_OPERATORS} operators"));
        }
        Ok(())
    }

    pub(super) fn tuple_ends(&self, ends: &[&str]) -> bool {
        match self.peek() {
            Tok::VarEnd | Tok::BlockEnd | Tok::Op(")") => true,
            Tok::Name(name) => ends.contains(&&**name),
            _ => false,
        }
    }

    pub(super) fn tuple(&mut self, conditional: bool, ends: &[&str], parenthesised: bool) -> Result<Expr> {
        let mut items = Vec::new();
        let mut is_tuple = false;
        loop {
            if self.tuple_ends(ends) {
                break;
            }
            items.push(self.expression(conditional)?);
            if !self.skip_op(",") {
                break;
            }
            is_tuple = true;
        }
        match items.pop() {
            Some(single) if !is_tuple => Ok(single),
            None if !parenthesised => self.fail(format!("expected an expression, found {}", describe(self.peek()))),
            last => {
                items.extend(last);
                Ok(Expr::Tuple(items))
            }
        }
    }

    pub(super) fn expression(&mut self, conditional: bool) -> Result<Expr> {
        self.deeper(|p| if conditional { p.conditional() } else { p.or() })
    }

    fn conditional(&mut self) -> Result<Expr> {
        let num_unknown = self.unknown.len();
        let mut value = self.or()?;
        let mut chain = 0;
        while self.skip_word("if") {
            self.longer(&mut chain)?;
            self.unknown.truncate(num_unknown);
            let test = Box::new(self.or()?);
            let otherwise = if self.skip_word("else") { Some(Box::new(self.deeper(Self::conditional)?)) } else { None };
            self.unknown.truncate(num_unknown);
            value = Expr::Conditional { test, then: Box::new(value), otherwise };
        }
        Ok(value)
    }

    fn or(&mut self) -> Result<Expr> {
        let mut left = self.and()?;
        let mut chain = 0;
        while self.skip_word("or") {
            self.longer(&mut chain)?;
            left = Expr::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr> {
        let mut left = self.not()?;
        let mut chain = 0;
        while self.skip_word("and") {
            self.longer(&mut chain)?;
            left = Expr::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr> {
        if self.skip_word("not") {
            return Ok(Expr::Not(Box::new(self.deeper(Self::not)?)));
        }
        self.compare()
    }

    fn compare(&mut self) -> Result<Expr> {
        let first = self.math1()?;
        let mut rest = Vec::new();
        loop {
            let op = match self.peek() {
                Tok::Op("==") => CmpOp::Eq,
                Tok::Op("!=") => CmpOp::Ne,
                Tok::Op("<") => CmpOp::Lt,
                Tok::Op("<=") => CmpOp::Le,
                Tok::Op(">") => CmpOp::Gt,
                Tok::Op(">=") => CmpOp::Ge,
                Tok::Name(name) if &**name == "in" => CmpOp::In,
                Tok::Name(name) if &**name == "not" && *self.peek_second() == Tok::Name("in".into()) => CmpOp::NotIn,
                _ => break,
            };
            self.next();
            if op == CmpOp::NotIn {
                self.next();
            }
            rest.push((op, self.math1()?));
        }
        Ok(if rest.is_empty() { first } else { Expr::Compare(Box::new(first), rest) })
    }

    fn math1(&mut self) -> Result<Expr> {
        let mut left = self.concat()?;
        let mut chain = 0;
        loop {
            self.longer(&mut chain)?;
            let op = match self.peek() {
                Tok::Op("+") => BinOp::Add,
                Tok::Op("-") => BinOp::Sub,
                _ => return Ok(left),
            };
            self.next();
            left = Expr::Binary(op, Box::new(left), Box::new(self.concat()?));
        }
    }

    fn concat(&mut self) -> Result<Expr> {
        let first = self.math2()?;
        if !self.is_op("~") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.skip_op("~") {
            parts.push(self.math2()?);
        }
        Ok(Expr::Concat(parts))
    }

    fn math2(&mut self) -> Result<Expr> {
        let mut left = self.pow()?;
        let mut chain = 0;
        loop {
            self.longer(&mut chain)?;
            let op = match self.peek() {
                Tok::Op("*") => BinOp::Mul,
                Tok::Op("/") => BinOp::Div,
                Tok::Op("//") => BinOp::FloorDiv,
                Tok::Op("%") => BinOp::Mod,
                _ => return Ok(left),
            };
            self.next();
            left = Expr::Binary(op, Box::new(left), Box::new(self.pow()?));
        }
    }

    fn pow(&mut self) -> Result<Expr> {
        let mut left = self.unary(true)?;
        let mut chain = 0;
        while self.skip_op("**") {
            self.longer(&mut chain)?;
            left = Expr::Binary(BinOp::Pow, Box::new(left), Box::new(self.unary(true)?));
        }
        Ok(left)
    }

    fn unary(&mut self, with_filter: bool) -> Result<Expr> {
        let mut node = if self.skip_op("-") {
            Expr::Neg(Box::new(self.deeper(|p| p.unary(false))?))
        } else if self.skip_op("+") {
            Expr::Pos(Box::new(self.deeper(|p| p.unary(false))?))
        } else {
            self.primary()?
        };
        node = self.postfix(node)?;
        if !with_filter {
            return Ok(node);
        }
        let mut chain = 0;
        loop {
            self.longer(&mut chain)?;
            if self.skip_op("|") {
                let applied = self.filter_name()?;
                node = Expr::Filter(Box::new(node), applied);
            } else if self.skip_word("is") {
                node = self.test(node)?;
            } else if self.is_op("(") {
                node = Expr::Call(Box::new(node), self.args()?);
            } else {
                break;
            }
        }
        Ok(node)
    }

    fn primary(&mut self) -> Result<Expr> {
        match self.peek().clone() {
            Tok::Name(name) => {
                self.next();
                Ok(match &*name {
                    "true" | "True" => Expr::Const(Const::Bool(true)),
                    "false" | "False" => Expr::Const(Const::Bool(false)),
                    "none" | "None" => Expr::Const(Const::None),
                    _ => {
                        if let Some(at) = SPECIAL_NAMES.iter().position(|special| *special == &*name) {
                            self.names_seen.iter_mut().for_each(|seen| seen[at] = true);
                        }
                        Expr::Name(name)
                    }
                })
            }
            Tok::Str(first) => {
                let mut text = first.to_string();
                self.next();
                while let Tok::Str(more) = self.peek().clone() {
                    text.push_str(&more);
                    self.next();
                }
                Ok(Expr::Const(Const::Str(text.into())))
            }
            Tok::Int(value) => {
                self.next();
                Ok(Expr::Const(Const::Int(value)))
            }
            Tok::Float(value) => {
                self.next();
                Ok(Expr::Const(Const::Float(value)))
            }
            Tok::Op("(") => {
                self.next();
                let inner = self.tuple(true, &[], true)?;
                self.expect_op(")")?;
                Ok(inner)
            }
            Tok::Op("[") => {
                self.next();
                let items = self.separated("]", |p| p.expression(true))?;
                Ok(Expr::List(items))
            }
            Tok::Op("{") => {
                self.next();
                let items = self.separated("}", |p| {
                    let key = p.expression(true)?;
                    p.expect_op(":")?;
                    Ok((key, p.expression(true)?))
                })?;
                Ok(Expr::Dict(items))
            }
            other => self.fail(format!("unexpected {}", describe(&other))),
        }
    }

    /// Items with commas between them (one may trail) up to `close`, which is taken.
    fn separated<T>(&mut self, close: &'static str, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.is_op(close) {
            if !items.is_empty() {
                self.expect_op(",")?;
                if self.is_op(close) {
                    break;
                }
            }
            items.push(item(self)?);
        }
        self.expect_op(close)?;
        Ok(items)
    }

    fn postfix(&mut self, mut node: Expr) -> Result<Expr> {
        let mut chain = 0;
        loop {
            self.longer(&mut chain)?;
            if self.skip_op(".") {
                node = match self.next() {
                    Tok::Name(name) => Expr::Attr(Box::new(node), name),
                    Tok::Int(index) => Expr::Item(Box::new(node), Box::new(Expr::Const(Const::Int(index)))),
                    other => return self.fail(format!("expected a name or a number, found {}", describe(&other))),
                };
            } else if self.skip_op("[") {
                node = self.subscript(node)?;
                self.expect_op("]")?;
            } else if self.is_op("(") {
                node = Expr::Call(Box::new(node), self.args()?);
            } else {
                return Ok(node);
            }
        }
    }

    fn subscript(&mut self, node: Expr) -> Result<Expr> {
        let mut bounds = [None, None, None];
        if !self.is_op(":") {
            let index = self.expression(true)?;
            if self.is_op(",") {
                return self.refuse("subscripts with a comma");
            }
            if !self.is_op(":") {
                return Ok(Expr::Item(Box::new(node), Box::new(index)));
            }
            bounds[0] = Some(Box::new(index));
        }
        for bound in &mut bounds[1..] {
            if self.skip_op(":") && !self.is_op("]") && !self.is_op(":") {
                *bound = Some(Box::new(self.expression(true)?));
            }
        }
        Ok(Expr::Slice(Box::new(node), bounds))
    }

    fn args(&mut self) -> Result<Args> {
        let mut args = Args::default();
        self.expect_op("(")?;
        let mut first = true;
        while !self.is_op(")") {
            if !first {
                self.expect_op(",")?;
                if self.is_op(")") {
                    break;
                }
            }
            first = false;
            let named = matches!(self.peek(), Tok::Name(_)) && *self.peek_second() == Tok::Op("=");
            let after_splat = args.splat.is_some() || args.named_splat.is_some();
            if self.is_op("*") && !after_splat {
                self.next();
                args.splat = Some(Box::new(self.expression(true)?));
            } else if self.is_op("**") && args.named_splat.is_none() {
                self.next();
                args.named_splat = Some(Box::new(self.expression(true)?));
            } else if named && args.named_splat.is_none() {
                let name = self.name()?;
                self.next();
                if args.named.iter().any(|(seen, _)| *seen == name) {
                    return self.fail(format!("the argument '{name}' is given twice"));
                }
                args.named.push((name, self.expression(true)?));
            } else if !named && !after_splat && args.named.is_empty() {
                args.positional.push(self.expression(true)?);
            } else {
                return self.fail("invalid arguments of a call");
            }
        }
        self.expect_op(")")?;
        Ok(args)
    }

    pub(super) fn filters(&mut self, start_inline: bool) -> Result<Vec<Applied>> {
        let mut out = Vec::new();
        if start_inline {
            out.push(self.filter_name()?);
        }
        while self.skip_op("|") {
            out.push(self.filter_name()?);
        }
        Ok(out)
    }

    fn note_unknown(&mut self, what: &str, name: &str, known: bool) {
        if !known && self.conditions == 0 {
            let line = self.line();
            self.unknown.push(Error::new(Kind::Syntax, format!("no {what} named '{name}'")).at(line));
        }
    }

    fn filter_name(&mut self) -> Result<Applied> {
        let name = self.name()?;
        self.note_unknown("filter", &name, names::is_filter(&name));
        let args = if self.is_op("(") { self.args()? } else { Args::default() };
        Ok(Applied { name, args })
    }

    fn test(&mut self, node: Expr) -> Result<Expr> {
        let negated = self.skip_word("not");
        let name = self.name()?;
        self.note_unknown("test", &name, names::is_test(&name));
        let mut args = Args::default();
        let starts_value = match self.peek() {
            Tok::Name(name) => !matches!(&**name, "else" | "or" | "and"),
            Tok::Str(_) | Tok::Int(_) | Tok::Float(_) | Tok::Op("[" | "{") => true,
            _ => false,
        };
        if self.is_op("(") {
            args = self.args()?;
        } else if starts_value {
            if self.is_word("is") {
                return self.fail("tests can't be chained with 'is'");
            }
            let value = self.primary()?;
            args.positional.push(self.postfix(value)?);
        }
        let test = Expr::Test(Box::new(node), Applied { name, args });
        Ok(if negated { Expr::Not(Box::new(test)) } else { test })
    }
}
