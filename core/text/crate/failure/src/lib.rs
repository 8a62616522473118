// SPDX-License-Identifier: GPL-3.0-or-later
//! What goes wrong, in the words that the user reads: the one form in which the crates of this workspace, but for the
//! template engine, say it, and in which it crosses to C++.

/// Matches what core/text/ffi.h throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FailureKind {
    InvalidInput = 0,
    Unsupported = 1,
    Io = 2,
    Internal = 3,
    /// A template took more steps than a rendering may: text::TemplateSpent.
    Spent = 4,
    /// A text has no place where its tokens can be told in parts, and as a whole it takes too much: text::TextTooLong.
    TooLong = 5,
}

#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub advice: String,
}

pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn new(kind: FailureKind, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: advice.into() }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(FailureKind::InvalidInput, message, "")
    }
}
