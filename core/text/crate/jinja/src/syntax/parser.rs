// SPDX-License-Identifier: GPL-3.0-or-later
//! Where the parser stands among the tokens, and what it has noted on its way. Expressions and, upon them, statements add
//! the grammar.

use super::lexer::{describe, Tok, Token};
use crate::error::{Error, Kind, Result};
use crate::tree::Name;

/// Nesting of expressions and blocks; deeper templates are refused before the stack runs out.
const MAX_DEPTH: usize = 150;

pub struct Parser {
    tokens: Vec<Token>,
    pos: usize,
    depth: usize,
    /// Of the current tag.
    pub(super) operators: usize,
    /// Loops around the current statement, within the innermost macro.
    pub(super) loops: usize,
    /// Conditions around the current place: there Jinja2 leaves unknown filters and tests to the moment they run.
    pub(super) conditions: usize,
    /// The unknown ones that no condition guards.
    pub(super) unknown: Vec<Box<Error>>,
    pub(super) has_generation: bool,
    /// For each open macro: does its body mention varargs, kwargs, caller?
    pub(super) names_seen: Vec<[bool; 3]>,
}

pub const SPECIAL_NAMES: [&str; 3] = ["varargs", "kwargs", "caller"];

impl Parser {
    pub(super) fn new(tokens: Vec<Token>) -> Self {
        Self {
            tokens,
            pos: 0,
            depth: 0,
            operators: 0,
            loops: 0,
            conditions: 0,
            unknown: Vec::new(),
            has_generation: false,
            names_seen: Vec::new(),
        }
    }

    pub(super) fn peek(&self) -> &Tok {
        &self.tokens[self.pos].tok
    }

    pub(super) fn peek_second(&self) -> &Tok {
        &self.tokens[(self.pos + 1).min(self.tokens.len() - 1)].tok
    }

    pub(super) fn line(&self) -> usize {
        self.tokens[self.pos].line
    }

    pub(super) fn next(&mut self) -> Tok {
        let tok = self.tokens[self.pos].tok.clone();
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        tok
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::new(Kind::Syntax, message).at(self.line()))
    }

    pub(super) fn refuse<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::new(Kind::Unsupported, message).at(self.line()))
    }

    pub(super) fn is_op(&self, op: &str) -> bool {
        matches!(self.peek(), Tok::Op(o) if *o == op)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Name(name) if &**name == word)
    }

    pub(super) fn skip_op(&mut self, op: &str) -> bool {
        let found = self.is_op(op);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, tok: Tok) -> Result<()> {
        if *self.peek() != tok {
            return self.fail(format!("expected {}, found {}", describe(&tok), describe(self.peek())));
        }
        self.next();
        Ok(())
    }

    pub(super) fn expect_op(&mut self, op: &'static str) -> Result<()> {
        self.expect(Tok::Op(op))
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        self.expect(Tok::Name(word.into()))
    }

    pub(super) fn name(&mut self) -> Result<Name> {
        match self.peek().clone() {
            Tok::Name(name) => {
                self.next();
                Ok(name)
            }
            other => self.fail(format!("expected a name, found {}", describe(&other))),
        }
    }

    pub(super) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return self.refuse(format!("nesting deeper than {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}
