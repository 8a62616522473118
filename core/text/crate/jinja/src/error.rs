// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a template could not be parsed or rendered.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The template is not valid Jinja.
    Syntax,
    /// The template itself called raise_exception.
    Raised,
    /// An operation that raises in Python too.
    Runtime,
    /// The rendering took more steps than one may.
    Spent,
    /// Python would render it, we would not render the same bytes.
    Unsupported,
}

#[derive(Clone, Debug)]
pub struct Error {
    pub kind: Kind,
    pub message: String,
    pub line: Option<usize>,
}

/// The longest message.
const MAX_CHARS: usize = 1000;

/// A box keeps the results of every expression small.
pub type Result<T> = std::result::Result<T, Box<Error>>;

impl Error {
    pub fn new(kind: Kind, message: impl Into<String>) -> Box<Self> {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(MAX_CHARS) {
            message.truncate(end); // it may quote a whole conversation
            message.push('…');
        }
        Box::new(Self { kind, message, line: None })
    }

    /// Keeps the innermost line.
    pub fn at(mut self: Box<Self>, line: usize) -> Box<Self> {
        self.line.get_or_insert(line);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        match self.kind {
            Kind::Syntax => write!(f, "syntax error: {}", self.message),
            Kind::Raised => write!(f, "the template refuses this conversation: {}", self.message),
            Kind::Runtime | Kind::Spent => f.write_str(&self.message),
            Kind::Unsupported => write!(f, "not supported: {}", self.message),
        }
    }
}

pub fn runtime<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new(Kind::Runtime, message))
}

/// Of integers that we print, but do not calculate with.
pub fn too_long<T>() -> Result<T> {
    unsupported("integers beyond 128 bits")
}

pub fn unsupported<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new(Kind::Unsupported, message))
}
