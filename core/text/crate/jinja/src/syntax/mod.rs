// SPDX-License-Identifier: GPL-3.0-or-later
//! The text of a template → its tree.

mod expressions;
mod lexer;
mod parser;
pub mod statements;
